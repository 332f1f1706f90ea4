/**
 * @module test/replay/painter - a program that draws a known conversation the ways TUIs do, and the grammar that reads
 * it: `❯ prompt`, `● text`, `◆ name(args)` with `  ⎿ output`, a spinner and a prompt box below.
 */
import {
  type BlockRule,
  furniture,
  type Grammar,
  proseOf,
  type Reading,
  type ScreenView,
  type VendorReader,
} from '../../src/adapter/index.js'

export interface Said {
  readonly kind: 'user_message' | 'assistant_message' | 'tool_call'
  readonly text: string
}

const RULE = /^─{10,}$/

const rules: readonly BlockRule[] = [
  furniture(
    'p.banner',
    (row) => row.text.startsWith('╭'),
    (row) => /^[│╰]/.test(row.text),
  ),
  furniture('p.spinner', (row) => row.text.startsWith('✻ ')),
  {
    id: 'p.prompt',
    starts: (row) => row.text.startsWith('❯ '),
    continues: (row) => row.text.startsWith('  '),
    item: (rows, { cols }) => ({ kind: 'user_message', text: proseOf(rows, { cols, first: 2, rest: 2 }) }),
  },
  {
    id: 'p.call',
    starts: (row) => row.text.startsWith('◆ ') || row.text.startsWith('◇ '),
    continues: (row) => row.text.startsWith('  '),
    item: (rows) => ({
      kind: 'tool_call',
      tool: 'other',
      name: rows[0]?.text.slice(2) ?? '',
      input: null,
      status: rows[0]?.text.startsWith('◇') ? 'running' : 'completed',
      output: rows
        .slice(1)
        .map((r) => r.text.slice(4))
        .join('\n'),
    }),
  },
  {
    id: 'p.text',
    starts: (row) => row.text.startsWith('● '),
    continues: (row) => row.text.startsWith('  '),
    item: (rows, { cols }) => ({
      kind: 'assistant_message',
      text: proseOf(rows, { cols, first: 2, rest: 2 }),
    }),
  },
]

function boxTop(screen: ScreenView): number {
  for (let y = screen.rows - 1, rule = -1; y >= 0; y -= 1) {
    if (!RULE.test(screen.text(y))) continue
    if (rule >= 0) return y
    rule = y
  }
  return -1
}

const grammar: Grammar = {
  rules,
  transcript(screen) {
    const top = boxTop(screen)
    return top < 0 ? null : { top: 0, bottom: top }
  },
}

function read(screen: ScreenView): Reading {
  const busy = screen.title === 'busy'
  const known = boxTop(screen) >= 0
  return {
    state: !known ? 'unknown' : busy ? 'running' : 'idle',
    rule: known ? 'p.box' : 'p.none',
    evidence: [],
    composer: null,
    dialog: null,
  }
}

export const painterReader: VendorReader = {
  vendor: {
    id: 'painter',
    name: 'Painter',
    binaries: [],
    binaryVariable: 'PAINTER',
    testedVersions: [],
    installHint: '',
    loginHint: '',
    versionArgs: [],
  },
  read,
  grammar,
}

/** Rows of one thing said, wrapped at words as programs do. */
function rowsOf(said: Said, open: boolean, cols: number): string[] {
  if (said.kind === 'tool_call') {
    const [name = '', ...output] = said.text.split('\n')
    return [`${open ? '◇' : '◆'} ${name}`, ...output.map((line, n) => `  ${n === 0 ? '⎿' : ' '} ${line}`)]
  }
  const mark = said.kind === 'user_message' ? '❯' : '●'
  const rows: string[] = []
  for (const line of said.text.split('\n')) {
    let row = ''
    for (const word of line.split(' ')) {
      if (row !== '' && row.length + 1 + word.length > cols - 2) {
        rows.push(row)
        row = word
      } else row = row === '' ? word : `${row} ${word}`
    }
    rows.push(row)
  }
  return rows.map((row, n) => `${n === 0 ? mark : ' '} ${row}`.trimEnd())
}

const BANNER = ['╭──────────────╮', '│ Painter 1.0  │', '╰──────────────╯', '']

/** Draws the whole conversation so far, as rows. */
export function layOut(list: readonly Said[], open: boolean, cols: number): string[] {
  const rows = [...BANNER]
  list.forEach((said, n) => {
    rows.push(...rowsOf(said, open && n === list.length - 1, cols), '')
  })
  return rows
}

const CSI = '\x1b['

/** What every way of drawing can do. */
export interface Painter {
  draw(rows: readonly string[], busy: boolean, tick: number): string
  resize(cols: number, rows: number): void
}

function footer(cols: number, busy: boolean, tick: number): string[] {
  const rule = '─'.repeat(cols)
  const spinner = busy ? [`✻ Thinking… (${tick}s)`, ''] : []
  return [...spinner, rule, '❯ ', rule, busy ? '  esc to interrupt' : '  ? for shortcuts']
}

const title = (busy: boolean) => `\x1b]0;${busy ? 'busy' : 'idle'}\x07`

/** Normal screen, as Ink draws: erases its rows from the first changed one on, and writes them again. */
export class InkPainter implements Painter {
  private shown: string[] = []
  constructor(
    private cols: number,
    private height: number,
  ) {}
  resize(cols: number, rows: number): void {
    this.cols = cols
    this.height = rows
    this.shown = []
  }
  draw(rows: readonly string[], busy: boolean, tick: number): string {
    const next = [...rows, ...footer(this.cols, busy, tick)]
    const old = this.shown
    this.shown = next
    if (old.length === 0) return `${title(busy)}${CSI}2J${CSI}3J${CSI}H${next.join('\r\n')}`
    let same = 0
    while (same < old.length && same < next.length && old[same] === next[same]) same += 1
    // What left the viewport cannot be reached any more: then everything is drawn again.
    if (same < old.length - this.height) return `${title(busy)}${CSI}2J${CSI}3J${CSI}H${next.join('\r\n')}`
    const up = old.length - 1 - same
    const to = up >= 0 ? `${up > 0 ? `${CSI}${up}A` : ''}\r` : '\r\n'
    return `${title(busy)}${to}${CSI}0J${next.slice(same).join('\r\n')}`
  }
}

/** Alternate screen: the newest rows that fit, cell rows that differ are written in place. */
export class AltPainter implements Painter {
  private shown: string[] = []
  constructor(
    private cols: number,
    private height: number,
  ) {}
  resize(cols: number, rows: number): void {
    this.cols = cols
    this.height = rows
    this.shown = []
  }
  draw(rows: readonly string[], busy: boolean, tick: number): string {
    const foot = footer(this.cols, busy, tick)
    const room = this.height - foot.length
    const body = rows.length > room ? rows.slice(-room) : [...rows, ...Array(room - rows.length).fill('')]
    const next = [...body, ...foot]
    let out = `${title(busy)}${CSI}?2026h`
    if (this.shown.length === 0) out += `${CSI}?1049h${CSI}2J`
    next.forEach((row, y) => {
      if (this.shown[y] !== row) out += `${CSI}${y + 1};1H${CSI}2K${row}`
    })
    this.shown = next
    return `${out}${CSI}?2026l`
  }
}
