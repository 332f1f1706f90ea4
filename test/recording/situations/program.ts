/** @module test/recording/situations/program - situations of the program itself: its commands, dialogs and errors. */
import { fail, read, speak, think } from '../steps.js'
import { type Situation, situation } from './situation.js'

const REFUSED = 'The harbour is closed today.'

export const PROGRAM: readonly Situation[] = [
  situation('api-error', async (s) => {
    await s.ask('Ask what is refused.', fail(400, REFUSED))
    await s.stage.seeWords(s.kit.errorWords(400, REFUSED))
    s.timeline.item({ kind: 'notice', text: s.kit.errorLine(400, REFUSED), onScreen: true })
    await s.over('error')
    await s.ask('And now?', speak('Now it is open again.'))
    await s.answered('Now it is open again')
  }),
  situation('clear-or-new', async (s) => {
    await s.ask('A question of the old talk.', speak('An answer of the old talk.'))
    await s.answered('answer of the old talk')
    await s.slash(s.kit.fresh)
    await s.ready()
    await s.ask('A question of the new talk.', speak('An answer of the new talk.'))
    await s.answered('answer of the new talk')
  }),
  situation('compact', async (s) => {
    if (s.kit.compact === undefined) throw new Error('it has no such command')
    for (const n of ['first', 'second']) {
      await s.ask(`The ${n} of the long talk.`, speak(`An answer to the ${n} one, which is not short.`))
      await s.answered(`to the ${n} one`)
    }
    await s.slash(s.kit.compact)
    const { says } = s.kit.compact
    if (says !== null) s.timeline.item({ kind: 'compaction', text: says, onScreen: true })
    await s.ready()
    await s.ask('A question of after.', speak('An answer of after.'))
    await s.answered('answer of after')
  }),
  situation('local-commands', async (s) => {
    await s.ask('Say one.', speak('One is said.'))
    await s.answered('One is said')
    for (const command of s.kit.locals ?? []) {
      await s.slash(command)
      await s.ready()
    }
    await s.ask('Say two.', speak('Two is said.'))
    await s.answered('Two is said')
  }),
  situation(
    'views',
    async (s) => {
      await s.ask('Look and say.', think('I look at it.'), read('notes.txt'), speak('It is seen.'))
      await s.answered('It is seen')
      for (const key of s.kit.views ?? []) {
        await s.stage.keys(key)
        await s.stage.settled()
      }
      await s.ready()
      await s.ask('Look no more.', speak('It is left alone.'))
      await s.answered('It is left alone')
    },
    { files: { 'notes.txt': 'alpha\nbeta\n' } },
  ),
  situation('model-picker', async (s) => {
    await s.ask('Before the list.', speak('This was before.'))
    await s.answered('This was before')
    await s.picker()
    await s.ask('After the list.', speak('This was after.'))
    await s.answered('This was after')
  }),
  situation(
    'startup-trust',
    async (s) => {
      if (s.kit.trust === null) throw new Error('it has no such dialog')
      await s.dialog('trust', s.kit.trust, 'allow')
      await s.ready()
      await s.ask('Do you trust me, too?', speak('I do.'))
      await s.answered('I do')
    },
    { wish: { trusted: false } },
  ),
]
