/** @module test/recording/situations/shapes - texts in shapes of their own: lists in lists, rules, fences, screens of odd sizes. */
import { gate, read, say, shell, slow, speak, think } from '../steps.js'
import { type Situation, situation } from './situation.js'
import { FENCES, LISTS, numbered, THOUGHTS, WIDE_LINES } from './texts.js'

const NOTES = { 'notes.txt': 'alpha\nbeta\ngamma\n' }

export const SHAPES: readonly Situation[] = [
  situation('lists-and-quotes', async (s) => {
    await s.ask('Two things:\n- the harbour\n- > the boats', slow(20), say(LISTS))
    await s.answered('end of the lists')
    await s.ask('1. Shorter', slow(20), say('1. One\n2. Two\n\n---\n\n- Three\n'))
    await s.answered('Three')
  }),
  situation('fences', async (s) => {
    const fences = `${FENCES}\n\`\`\`text\n${s.kit.lookAlike}\n\`\`\`\n\nThe last fence was ours.\n`
    await s.ask('Show me code of all kinds.', slow(20), say(fences))
    await s.answered('last fence was ours')
    await s.ask('Only code, please.', slow(20), say('```sh\necho "only code"\n```\n'))
    await s.answered('only code')
  }),
  situation(
    'thoughts-in-shapes',
    async (s) => {
      await s.ask(
        'Think in all shapes.',
        slow(40),
        think(THOUGHTS),
        gate('thought'),
        speak('It was a table.'),
      )
      await s.held('thought')
      s.release('thought')
      await s.answered('It was a table')
      await s.ask(
        'Think, act, think again.',
        slow(40),
        think('# First\n\nI look at the notes.'),
        read('notes.txt'),
        slow(40),
        think('They are short.\n\n```sh\ncat notes.txt\n```\n\nThat is all.'),
        speak('Three words stand there.'),
      )
      await s.answered('Three words stand there')
    },
    { files: NOTES },
  ),
  situation(
    'narrow-60x20',
    async (s) => {
      const long =
        'A line that needs three rows of this narrow window, as it says much more than sixty columns can hold at once.'
      await s.ask(
        `Be narrow. ${long}`,
        slow(20),
        speak(`${long}\n\n1. ${long}\n   - ${long}\n\n`),
        shell('mkdir -p narrow && echo a command of one row'),
        slow(s.kit.lineMs),
        say(
          `${numbered(12, 'Narrow')}| Boat | What is known of it |\n|---|---|\n| Anna | leaks below the water line |\n\nNarrow end.\n`,
        ),
      )
      await s.answered('Narrow end')
      await s.ask('Again, in short.', speak('Narrow and short.'))
      await s.answered('Narrow and short')
    },
    { cols: 60, rows: 20 },
  ),
  situation(
    'tall-120x60',
    async (s) => {
      for (const n of ['first', 'second', 'third']) {
        await s.ask(
          `Do the ${n} round.`,
          speak(`I look at the ${n} one.`),
          shell(`echo ${n}; echo of three`),
          slow(s.kit.lineMs),
          say(`The ${n} is done:\n\n${numbered(6, `Part ${n}`)}`),
        )
        await s.answered(`Part ${n} 06 stands on a line`)
      }
    },
    { cols: 120, rows: 60 },
  ),
  situation(
    'wide-lines-60x20',
    async (s) => {
      await s.ask(
        '日本語で長い文章をください。折り返しが正しく読めるかどうかを見たいのです。🎉',
        slow(20),
        say(WIDE_LINES),
      )
      await s.answered('plain end of it')
    },
    { cols: 60, rows: 20 },
  ),
]
