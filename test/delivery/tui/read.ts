/** @module test/delivery/tui/read - what one screen of the test TUI says, and how its conversation is drawn. Pure. */
import {
  type BlockRule,
  type Composer,
  type Dialog,
  furniture,
  type Grammar,
  isDim,
  type Reading,
  type Row,
  type ScreenView,
} from '../../../src/adapter/index.js'
import { HIDDEN, PROMPT } from './draw.js'

const RULE = /^─{8,}$/u
const FOOTER = /^ (idle|busy|asks) · (s\d+) · (\S+)$/u
const OPTION = /^ ([❯ ]) (\d)\. (.+)$/u
const STATES = { idle: 'idle', busy: 'running', asks: 'blocked' } as const

/** What stands before the part of a long text that the box shows. */
export const CUT = '…'

/** A text out of its rows: gutters and end marks off. */
function textOf(rows: readonly string[]): string {
  let text = ''
  for (const [n, row] of rows.entries()) {
    const body = row.slice(2).replace(/¶$/u, '')
    const gutter = row.slice(0, 2)
    if (n === 0) text = gutter === HIDDEN ? CUT + body : body
    else text += gutter === PROMPT.rest ? body : `\n${body}`
  }
  return text
}

interface Layout {
  readonly footer: RegExpExecArray | null
  /** Row of the upper rule. */
  readonly top: number
  /** Rows between the upper rule and the lower one, or the footer. */
  readonly inside: readonly number[]
}

function layout(screen: ScreenView): Layout | null {
  let end = screen.rows - 1
  while (end > 0 && screen.text(end) === '') end -= 1
  const footer = FOOTER.exec(screen.text(end))
  if (!footer) return null
  const last = RULE.test(screen.text(end - 1)) ? end - 1 : end
  let top = last - 1
  while (top >= 0 && !RULE.test(screen.text(top))) top -= 1
  if (top < 0) return null
  return { footer, top, inside: Array.from({ length: last - top - 1 }, (_, n) => top + 1 + n) }
}

export function read(screen: ScreenView): Reading {
  const place = layout(screen)
  const word = place?.footer?.[1]
  if (!place?.footer || (word !== 'idle' && word !== 'busy' && word !== 'asks')) {
    return { state: 'unknown', rule: 'tui.unknown', evidence: [], composer: null, dialog: null }
  }
  const queued: string[] = []
  for (let y = 0; y < place.top; y += 1) if (/^\+[ |:]/u.test(screen.text(y))) queued.push(screen.text(y))
  const dialog = word === 'asks' ? dialogOf(screen, place) : null
  return {
    state: STATES[word],
    rule: `tui.${word}`,
    evidence: [place.footer[0].trim(), ...queued],
    composer: dialog || word === 'asks' ? null : composerOf(screen, place),
    dialog,
  }
}

function composerOf(screen: ScreenView, { inside }: Layout): Composer | null {
  const [first] = inside
  if (first === undefined || !screen.bracketedPaste) return null
  const row = screen.row(first)
  if (row.text.length > 2 && isDim(row, 2)) return { text: '', ghost: row.text.slice(2) }
  return { text: textOf(inside.map((y) => screen.text(y))), ghost: null }
}

function dialogOf(screen: ScreenView, { inside }: Layout): Dialog | null {
  const rows = inside.map((y) => screen.text(y))
  const title = rows[0]?.trim() ?? ''
  const options = rows.flatMap((row) => {
    const [, mark, key = '', label = ''] = OPTION.exec(row) ?? []
    return key === '' ? [] : [{ key, label, selected: mark === '❯' }]
  })
  if (title === '' || options.length === 0) return null
  const fingerprint = JSON.stringify([title, options.map((o) => o.label)])
  return { kind: 'permission', title, options, fingerprint }
}

const lines = (rows: readonly Row[]) => rows.map((row) => row.text)
const goesOn = (gutters: RegExp): BlockRule['continues'] => {
  return (row) => gutters.test(row.text)
}

const rules: readonly BlockRule[] = [
  {
    id: 'tui.prompt',
    starts: (row) => row.text.startsWith('> '),
    continues: goesOn(/^[|:] /u),
    endsAtBlank: true,
    item: (rows) => {
      // What is not drawn to its end mark may go on.
      if (!rows.at(-1)?.text.endsWith('¶')) return null
      return { kind: 'user_message', text: textOf(lines(rows)) }
    },
  },
  {
    id: 'tui.answer',
    starts: (row) => row.text.startsWith('● '),
    continues: goesOn(/^ {2}/u),
    endsAtBlank: true,
    item: (rows) => ({ kind: 'assistant_message', text: textOf(lines(rows)) }),
  },
  {
    id: 'tui.command',
    starts: (row) => row.text.startsWith('$ '),
    continues: goesOn(/^ {2}/u),
    endsAtBlank: true,
    item: (rows) => ({ kind: 'command', text: textOf(lines(rows)) }),
  },
  {
    id: 'tui.interrupted',
    starts: (row) => row.text === '■ Interrupted',
    continues: () => false,
    item: (rows) => ({ kind: 'notice', level: 'info', text: lines(rows).join(), outcome: 'interrupted' }),
  },
  {
    id: 'tui.notice',
    starts: (row) => row.text.startsWith('! '),
    continues: () => false,
    item: (rows) => ({ kind: 'notice', level: 'info', text: lines(rows).join().slice(2) }),
  },
  furniture('tui.start', (row) => row.text === 'starting'),
]

export const grammar: Grammar = {
  rules,
  transcript(screen) {
    const place = layout(screen)
    if (!place) return null
    let bottom = place.top
    const isFurniture = (text: string) => /^(?:\+[ |:]| {2}» |[✻✽✶✢] Working…)/u.test(text)
    while (bottom > 0 && (isFurniture(screen.text(bottom - 1)) || screen.text(bottom - 1) === '')) bottom -= 1
    return { top: 0, bottom }
  },
}

/** The state word, session and model of a reading's footer. */
export function footerOf(reading: Reading | null): { session: string; model: string } | null {
  const [, , session = '', model = ''] = FOOTER.exec(` ${reading?.evidence[0] ?? ''}`) ?? []
  return session === '' ? null : { session, model }
}
