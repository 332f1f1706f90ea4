/** @module test/recording/situations/turns - turns with many calls, calls that fail, prompts that come in between, windows that change. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Step } from '../../../src/model-server/index.js'
import { edit, read, say, shell, slow, speak, write } from '../steps.js'
import { type Situation, situation } from './situation.js'
import { numbered } from './texts.js'

const ENDLESS = 'touch begun; while true; do sleep 1; done'
const LONG_FILE = Array.from({ length: 60 }, (_, n) => `line ${n + 1} of the long file\n`).join('')
/** Prompts that look like something that some program draws. */
const ODD_PROMPTS = [
  '❯ odd prompt',
  '● Bash(ls)',
  '    indented prompt',
  '$ ls -la',
  '> quoted\n\nand more',
  '⎿ hook',
  '• Ran ls',
  '■ stop',
]
/** Every third line is another one. */
const changed = (text: string) => text.replaceAll(/line (\d*[369]) of/gu, 'LINE $1 OF')

/** Calls in one answer of the model. */
function atOnce(...commands: string[]): Step {
  return { type: 'tools', calls: commands.map((command) => ({ tool: 'shell', command })) }
}

export const TURNS: readonly Situation[] = [
  situation('calls-at-once', async (s) => {
    s.expect('no such boat', s.kit.callAfterFailure)
    await s.ask(
      'Do much at once.',
      speak('Three at once.'),
      atOnce('mkdir -p a && echo first', 'echo "second one"; echo of two', 'echo no such boat >&2; exit 3'),
      speak('And two more.'),
      atOnce('mkdir -p b && echo fourth', 'mkdir -p c && echo fifth'),
      speak('Five have run.'),
    )
    await s.answered('Five have run')
  }),
  situation('same-turn-thrice', async (s) => {
    for (let n = 0; n < 3; n += 1) {
      const before = s.stage.count('It is there.')
      await s.ask(
        'Look for the boat.',
        speak('I look.'),
        shell('mkdir -p x && echo boat'),
        speak('It is there.'),
      )
      await s.stage.seeWords('It is there.', Math.min(before, 1))
      await s.answered()
    }
  }),
  situation('interrupt-and-again', async (s) => {
    s.expect('touch begun', s.kit.callAfterInterrupt)
    await s.ask('Run it.', speak('I run it.'), shell(ENDLESS), speak('This is never told.'))
    await s.toolRuns(() => existsSync(join(s.setup.cwd, 'begun')))
    await s.interrupt('tool')
    await s.ask('Run it.', speak('I run it.'), shell('mkdir -p again && echo again'), speak('It has run.'))
    await s.answered('It has run')
  }),
  situation(
    'long-edit',
    async (s) => {
      await s.ask(
        'Change every third line and write it anew.',
        read('long.txt'),
        edit('long.txt', LONG_FILE, changed(LONG_FILE)),
        write('new.txt', LONG_FILE),
        speak('Both long files are done.'),
      )
      await s.answered('Both long files are done')
    },
    { files: { 'long.txt': LONG_FILE } },
  ),
  situation('odd-output', async (s) => {
    writeFileSync(join(s.setup.cwd, 'odd.txt'), `${s.kit.lookAlike}\n`)
    await s.ask(
      'Print what looks like a screen.',
      shell('mkdir -p odd; cat odd.txt'),
      speak('It was only output.'),
    )
    await s.answered('It was only output')
    await s.ask(
      'Print very much.',
      shell('mkdir -p odd; for i in $(seq 400); do echo "● $i: │ > - much"; done'),
      speak('It was very much.'),
    )
    await s.answered('It was very much')
  }),
  situation('prompt-shapes', async (s) => {
    for (const [n, prompt] of ODD_PROMPTS.entries()) {
      await s.ask(prompt, speak(`This answers the odd prompt ${n}.`))
      await s.answered(`answers the odd prompt ${n}`)
    }
  }),
  situation('resize-idle', async (s) => {
    await s.ask('Tell me twelve things.', slow(s.kit.lineMs), say(numbered(12, 'Thing')))
    await s.answered('Thing 12 stands on a line')
    for (const [cols, rows] of [
      [70, 20],
      [120, 50],
      [60, 24],
      [100, 32],
    ] as const) {
      await s.stage.resize(cols, rows)
      await s.stage.quiet(1000, 2500, false)
    }
    await s.ask('And one more?', speak('One more it is.'))
    await s.answered('One more it is')
  }),
  situation(
    'resize-dialog',
    async (s) => {
      if (s.kit.shellDialog === null) throw new Error('it never asks')
      await s.ask(
        'Make a marker.',
        speak('I ask before I do it.'),
        shell('mkdir -p sub && touch sub/marker'),
        speak('It is made.'),
      )
      await s.stage.see('the dialog', s.kit.shellDialog.open)
      for (const [cols, rows] of [
        [70, 22],
        [120, 40],
      ] as const) {
        await s.stage.resize(cols, rows)
        await s.stage.quiet(1000, 2500, false)
      }
      await s.dialog('permission', s.kit.shellDialog, 'allow')
      await s.answered('It is made')
    },
    { wish: { permission: 'ask' } },
  ),
]
