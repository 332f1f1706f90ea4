/** @module test/recording/situations/program - situations of the program itself: its commands, dialogs and errors. */
import { fail, speak } from '../steps.js'
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
