/**
 * @module test/replay/peer-programs - what made other readers lose, repeat or invent text, drawn small. The name of each
 * is the name of its recording in `peers/`.
 */
import { layOut } from './painter.js'
import { call, Drawn, it, Tape, type Way, you } from './peer-tape.js'

const CSI = '\x1b['
const RULE = (cols: number) => '─'.repeat(cols)
const many = (count: number, row: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => row(n)).join('\n')

/** The ones that are drawn on both screens. */
const both: Readonly<Record<string, (way: Way) => Drawn>> = {
  'identical-reply': (way) =>
    new Drawn(way)
      .turn('first', it('OK'))
      .turn('second', it('OK'))
      .turn('second', it('OK'))
      .turn('third', it('OK')),
  'old-first-line': (way) =>
    new Drawn(way)
      .turn('first', it('Done.\n```\ncode\n```'))
      .turn('second', it('Done.\n```\nother code\n```\nDone.'))
      .turn('third', it('```\nDone.')),
  'header-changes': (way) => {
    const drawn = new Drawn(way)
    drawn.head = (tick) => [`╭ main · $0.0${tick} · 12:${10 + tick} ╮`]
    return drawn.turn('first', it('one two three')).turn('second', it('one two four'))
  },
  'header-grows': (way) => {
    const drawn = new Drawn(way)
    drawn.head = (tick) => Array.from({ length: 1 + (tick % 4) }, (_, n) => `╭ session row ${n} of ${tick}`)
    return drawn.turn('first', it('one two three four five six')).turn('second', it('one two three'))
  },
  'resize-and-reflow': (way) => {
    const text = many(14, (n) => `${n} ${'words that wrap somewhere else '.repeat(3)}`.trimEnd())
    return new Drawn(way)
      .turn('first', it(text))
      .resize(61, 20)
      .resize(111, 30)
      .turn('second', it('Fine.'))
      .resize(80, 24)
  },
  'looks-like-a-prompt': (way) =>
    new Drawn(way).turn(
      'quote them',
      it(
        `> a quote\ncmd > out\n+ > added\n❯ not a prompt\n${RULE(30)}\n❯ \n${RULE(30)}\n1. Yes\n2. No (esc)\n$ `,
      ),
    ),
  'repeated-lines': (way) =>
    new Drawn(way)
      .turn(
        'again',
        it(many(40, (n) => (n % 3 === 0 ? `${n}. same line` : 'same'))),
        call('run(x)', 'same', 'same', 'same'),
      )
      .turn('again', call('run(x)', 'same', 'same', 'same'), it('same line\nsame\nsame')),
  'blank-runs': (way) =>
    new Drawn(way).turn('space', it('above\n\n\n\n\nbelow\n\nend')).turn('more', it('a\n\n\n\nb')),
  'longer-than-the-screen': (way) =>
    new Drawn(way)
      .turn('count', it(many(120, (n) => `line ${n}`)))
      .turn('again', it(many(120, (n) => `line ${n}`))),
  'repainted-in-blocks': (way) => {
    const drawn = new Drawn(way).turn('first', it(many(30, (n) => `row ${n}`)))
    for (let n = 0; n < 12; n += 1) {
      // Everything again, in one synchronized update that clears screen and scrollback.
      drawn.painter.resize(80, 24)
      drawn.draw()
    }
    return drawn.turn('second', it('after'))
  },
  'silent-tool': (way) => {
    const drawn = new Drawn(way)
    drawn.busy = true
    drawn.said.push(you('wait'), call('sleep(2)'))
    drawn.draw(2500, true)
    drawn.said[1] = call('sleep(2)', 'slept')
    drawn.draw(100)
    drawn.said.push(it('It slept.'))
    drawn.draw(100)
    drawn.busy = false
    drawn.draw(600)
    return drawn
  },
}

/** A footer with a clock below the idle box: it never stands still. */
function animated(): Tape {
  const drawn = new Drawn('ink')
  drawn.rest = 40
  const { tape } = drawn.turn('first', it('Settled.'))
  for (let n = 0; n < 60; n += 1)
    tape.write(`\r${CSI}2K  ? for shortcuts · 12:00:${String(n).padStart(2, '0')}`, 100)
  return tape
}

/** A clock in the header, within the conversation's rows. */
function animatedHeader(): Tape {
  const drawn = new Drawn('ink')
  drawn.rest = 40
  drawn.head = (tick) => [`╭ Painter · 12:00:${String(tick % 60).padStart(2, '0')} ╮`]
  drawn.turn('first', it('Settled.'))
  for (let n = 0; n < 60; n += 1) drawn.draw(100)
  return drawn.tape
}

/** A toast over the upper right corner that comes and goes; alternate screen. */
function toast(): Tape {
  const drawn = new Drawn('alt').turn('first', it(many(30, (n) => `row ${n}`)))
  const { tape } = drawn
  tape.write(`\x1b7${CSI}2;50H╭──── Copied ────╮${CSI}3;50H╰────────────────╯\x1b8`, 900)
  drawn.painter.resize(80, 24)
  drawn.draw(400)
  return drawn.turn('second', it('after')).tape
}

/** The prompt of the turn stays at the top while its answer scrolls. */
function stickyHeader(): Tape {
  const tape = new Tape()
  const rows = (list: readonly string[], busy: boolean) => {
    const rule = RULE(80)
    const foot = [rule, '❯ ', rule, busy ? '  esc to interrupt' : '  ? for shortcuts']
    const body =
      list.length <= 20 ? [...list, ...Array(20 - list.length).fill('')] : ['❯ count', ...list.slice(-19)]
    const all = [...body, ...foot].map((row, y) => `${CSI}${y + 1};1H${CSI}2K${row}`).join('')
    return `\x1b]0;${busy ? 'busy' : 'idle'}\x07${CSI}?2026h${all}${CSI}?2026l`
  }
  tape.write(`${CSI}?1049h${rows([], false)}`, 500)
  for (let n = 0; n <= 45; n += 1)
    tape.write(rows(layOut([you('count'), it(many(n + 1, (k) => `row ${k}`))], false, 80).slice(4), true))
  return tape.write(
    rows(layOut([you('count'), it(many(46, (k) => `row ${k}`))], false, 80).slice(4), false),
    800,
  )
}

/** A person scrolls back in a full-screen program, and forth again. */
function scrollBack(): Tape {
  const tape = new Drawn('alt').turn('count', it(many(60, (n) => `row ${n}`))).tape
  const all = layOut([you('count'), it(many(60, (n) => `row ${n}`))], false, 80)
  const show = (from: number) =>
    `${CSI}?2026h${all
      .slice(from, from + 20)
      .map((row, y) => `${CSI}${y + 1};1H${CSI}2K${row}`)
      .join('')}${CSI}?2026l`
  for (let from = all.length - 20; from >= 0; from -= 3) tape.write(show(from), 60)
  tape.wait(1000)
  for (let from = 0; from <= all.length - 20; from += 5) tape.write(show(from), 60)
  return tape.write(show(all.length - 20), 600)
}

/** A pager or editor takes the alternate screen, and gives it back. */
function pager(): Tape {
  const drawn = new Drawn('ink').turn('first', it('Before.'))
  drawn.tape.write(
    `${CSI}?1049h${CSI}2J${CSI}H❯ a file\r\n● that looks\r\n◆ like it\r\n~\r\n~\r\n"file" 3L`,
    900,
  )
  drawn.tape.write(`${CSI}?1049l`, 300)
  return drawn.turn('second', it('After.')).tape
}

/** The person clears the conversation, and goes on. */
function clear(): Tape {
  const drawn = new Drawn('ink').turn('first', it(many(40, (n) => `row ${n}`)))
  drawn.said.length = 0
  drawn.painter.resize(80, 24)
  drawn.draw(900)
  return drawn.turn('first', it(many(3, (n) => `row ${n}`))).tape
}

/** The whole conversation is drawn again after a lost connection. */
function reconnect(): Tape {
  const drawn = new Drawn('ink').turn('first', it(many(30, (n) => `row ${n}`)), call('run(x)', 'out'))
  drawn.tape.write(`\x1bc`, 400)
  drawn.painter.resize(80, 24)
  drawn.draw(600)
  return drawn.turn('second', it('After.')).tape
}

/** Wide characters, clusters and marks that terminals measure differently, with something behind each. */
function widths(): Tape {
  const text = [
    '漢字かな |',
    '👩‍👩‍👧‍👦 family |',
    '🇩🇪🇫🇷 flags |',
    '👍🏽 tone |',
    '☀️ sun |',
    'é́ marks |',
    '⏺ dot |',
    '…—“”› |',
  ].join('\n')
  return new Drawn('ink').turn('wide 猫', it(text)).turn('again', it(text)).tape
}

/** A program without synchronized updates whose cursor cannot reach what scrolled off: each edit leaves a copy above. */
function copiesAbove(): Tape {
  const tape = new Tape()
  const said = [you('count'), it('')]
  const foot = [RULE(80), '❯ ', RULE(80)]
  let old = 0
  for (let n = 1; n <= 40; n += 1) {
    said[1] = it(many(n, (k) => `row ${k}`))
    const busy = n < 40
    const rows = [...layOut(said, false, 80), ...foot, busy ? '  esc to interrupt' : '  ? for shortcuts']
    const up = old > 1 ? `${CSI}${old - 1}A` : ''
    tape.write(`\x1b]0;${busy ? 'busy' : 'idle'}\x07${up}\r${CSI}J${rows.join('\r\n')}`, 60)
    old = rows.length
  }
  return tape.wait(800)
}

/** A line that the terminal wraps, not the program. */
function terminalWraps(): Tape {
  const tape = new Tape()
  const long = `● ${'abcdefghi '.repeat(30)}end`
  const foot = (cols: number) => `\r\n\r\n${RULE(cols)}\r\n❯ \r\n${RULE(cols)}\r\n  ? for shortcuts`
  tape
    .write(`\x1b]0;idle\x07❯ say it\r\n\r\n${long}${foot(80)}`, 900)
    .resize(50, 24)
    .resize(100, 24, 400)
  return tape.write(`${CSI}2J${CSI}3J${CSI}H❯ say it\r\n\r\n${long}${foot(100)}`, 900)
}

/** The program keeps the layout of the small terminal that it was born in. */
function clippedLayout(): Tape {
  const drawn = new Drawn('alt').turn('first', it('Small.'))
  drawn.tape.resize(120, 40, 300)
  return drawn.turn('second', it('Still small.')).tape
}

/** A window of no size is told, as a hidden page does. */
function noSize(): Tape {
  const drawn = new Drawn('ink').turn('first', it('Seen.'))
  drawn.tape.resize(0, 0, 200)
  return drawn.turn('second', it('Seen too.')).tape
}

/** No glyph came through: a locale without UTF-8. */
function noGlyphs(): Tape {
  const rule = '_'.repeat(80)
  return new Tape().write(
    `_ first\r\n\r\n_ Answer.\r\n\r\n${rule}\r\n_ \r\n${rule}\r\n  ? for shortcuts`,
    1500,
  )
}

/** Recordings by name. */
export const peerTapes: Readonly<Record<string, () => Tape>> = {
  ...Object.fromEntries(
    Object.entries(both).flatMap(([name, draw]) =>
      (['ink', 'alt'] as const).map((way) => [`${name}-${way}`, () => draw(way).tape]),
    ),
  ),
  'animated-footer': animated,
  'animated-header': animatedHeader,
  toast,
  'sticky-header': stickyHeader,
  'scroll-back': scrollBack,
  pager,
  clear,
  reconnect,
  widths,
  'copies-above': copiesAbove,
  'terminal-wraps': terminalWraps,
  'clipped-layout': clippedLayout,
  'no-size': noSize,
  'no-glyphs': noGlyphs,
}
