/** @module test/replay/peer-states - screens whose state other readers took for another one, drawn small. */
import { Tape } from './peer-tape.js'

const RULE = '─'.repeat(80)
const CLEAR = '\x1b[2J\x1b[3J\x1b[H'
const title = (text: string) => `\x1b]0;${text}\x07`
const box = (draft = '') => [RULE, `❯ ${draft}`, RULE]
const page = (...rows: readonly string[]) => `${CLEAR}${rows.join('\r\n')}`
const claude = (rows = 24) => new Tape('claude', 80, rows)
const IDLE = '  ? for shortcuts'
/** A person's prompt stands on a bar, a text has a white bullet, an error a red one. */
const you = (text: string) => `\x1b[48;5;237m❯ ${text} \x1b[m`
const says = (text: string) => `\x1b[38;5;231m●\x1b[m ${text}`
const began = [you('do it'), '', says('I do it.'), '']

export const stateTapes: Readonly<Record<string, () => Tape>> = {
  'spinner-alone': () =>
    claude()
      .write(page(...began, '✳ Pondering…', '', ...box(), IDLE), 600)
      .write(page(...began, '✻ Pondering… (3s)', '', ...box(), '  -- INSERT --'), 600)
      .write(page(...began, says('Done.'), '', ...box(), IDLE), 900),
  'background-hint': () =>
    claude().write(
      title('⠂ Work') +
        page(
          ...began,
          '● Bash(sleep 9)',
          '  ⎿  Running…',
          '     (ctrl+b to run in background)',
          '',
          ...box(),
          '',
        ),
      900,
    ),
  'numbers-in-text': () =>
    claude().write(
      page(
        you('what do I press'),
        '',
        says('Press this:'),
        '  ❯ 1. Yes',
        '    2. No (esc)',
        '  Do you want to proceed?',
        '',
        ...box(),
        IDLE,
      ),
      900,
    ),
  'stale-spinner': () =>
    claude()
      .write(
        page(you('do it'), '', '✻ Thinking… (3s · esc to interrupt)', '', ...box(), '  esc to interrupt'),
        600,
      )
      // The rows of the spinner are not erased, the answer comes below.
      .write(
        page(
          you('do it'),
          '',
          '  ✻ Thinking… (3s · esc to interrupt)',
          '',
          says('Done.'),
          '',
          ...box(),
          IDLE,
        ),
        900,
      ),
  'allow-or-deny': () =>
    claude().write(
      page(
        ...began,
        RULE,
        ' Claude wants to use Chrome',
        '',
        ' ❯ 1. Allow',
        '   2. Deny (esc)',
        '',
        ' Enter to confirm · Esc to cancel',
      ),
      900,
    ),
  'custom-status-line': () =>
    claude()
      .write(page(...began, '✻ Baking… (4s)', '', ...box(), '  main · 12% · $0.10', '  -- INSERT --'), 600)
      .write(page(...began, says('Done.'), '', ...box(), IDLE), 900),
  'spinner-and-dialog': () =>
    claude().write(
      title('⠂ Work') +
        page(
          ...began,
          '✻ Thinking… (3s)',
          '',
          RULE,
          ' Bash command',
          '',
          '   rm -r x',
          '',
          ' Do you want to proceed?',
          ' ❯ 1. Yes',
          '   2. No',
          '',
          ' Esc to cancel · Tab to amend',
        ),
      900,
    ),
  'error-then-prompt': () =>
    claude()
      .write(page(you('do it'), '', '✻ Thinking… (3s)', '', ...box(), '  esc to interrupt'), 600)
      .write(
        page(
          you('do it'),
          '',
          '\x1b[38;5;211m●\x1b[m API Error: 401 Invalid authentication credentials',
          '',
          ...box(),
          IDLE,
        ),
        900,
      ),
  'quoted-limit': () =>
    claude().write(
      page(
        you('why'),
        '',
        says('The log says:'),
        '',
        "  You've hit your usage limit. API Error: 529",
        '',
        ...box(),
        IDLE,
      ),
      900,
    ),
  'box-pushed-up': () =>
    claude(40).write(
      page(
        you('go'),
        '',
        says('Started.'),
        '',
        ...box(),
        ...Array.from({ length: 12 }, (_, n) => `  ◯ agent ${n}`),
        IDLE,
      ),
      900,
    ),
  'theme-picker': () =>
    claude().write(
      page(
        " Let's get started.",
        '',
        ' Choose the text style that looks best with your terminal',
        '',
        ' ❯ 1. Dark mode ✔',
        '   2. Light mode',
        '',
        '╌'.repeat(80),
        ' 1  function greet() {',
        ' 2 -  console.log("Hello, World!");',
        '╌'.repeat(80),
      ),
      900,
    ),
  'draft-in-the-box': () => {
    const tape = claude().write(page(...began, says('Done.'), '', ...box(), IDLE), 900)
    for (const draft of ['n', 'never', 'never send', 'never send this'])
      tape.write(page(...began, says('Done.'), '', ...box(draft), ''), 200)
    return tape.write(page(...began, says('Done.'), '', ...box(), IDLE), 900)
  },
  'rule-as-spinner': () =>
    new Tape('pi').write(
      page(
        '',
        '',
        ' Go',
        '',
        '',
        ' Working on it.',
        '',
        `── ⠦ Working ──${'─'.repeat(65)}`,
        '',
        RULE,
        '~/work (main)',
        '0.7%/200k (auto)        (mock) m1 • medium',
      ),
      900,
    ),
  'plan-question': () =>
    new Tape('codex').write(
      `\x1b[?1049h${page('', '  Question 1/1 (1 unanswered)', '  Which one?', '', '  › 1. This', '    2. That', '', '  enter to submit answer | esc to interrupt')}`,
      900,
    ),
}
