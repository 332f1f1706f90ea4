/** @module test/recording/situations/talk - situations of text alone. */
import { gate, say, slow, speak, think } from '../steps.js'
import { type Situation, situation } from './situation.js'
import { BLANK_LINES, MARKDOWN, numbered, WIDE } from './texts.js'

const WORD = 'The word is harbour.'

export const TALK: readonly Situation[] = [
  situation('simple', async (s) => {
    await s.ask(
      'Please greet me.',
      gate('begin'),
      speak('Hello from the model.\n\n'),
      gate('middle'),
      speak('And a good day to you.'),
    )
    await s.held('begin')
    s.release('begin')
    await s.held('middle', 'Hello from the model')
    s.release('middle')
    await s.answered('a good day to you')
    await s.ask('And once more, in short?', speak('Good day.'))
    await s.answered('Good day')
  }),
  situation('markdown', async (s) => {
    await s.ask('Write a report with all kinds of marks.', slow(20), say(MARKDOWN))
    await s.answered('for more')
  }),
  situation('long-text', async (s) => {
    await s.ask('Tell me forty things.', slow(s.kit.lineMs), say(numbered(40, 'Thing')))
    await s.answered('Thing 40 stands on a line')
    await s.ask('Is that all?', speak('Yes, that was all of it.'))
    await s.answered('that was all of it')
  }),
  situation('wide', async (s) => {
    await s.ask('漢字と絵文字 🎉 をお願いします', slow(20), say(WIDE))
    await s.answered('and a plain end')
    await s.ask('한국어로도 짧게', speak('네, 알겠습니다. 👍'))
    await s.answered('네, 알겠습니다')
  }),
  situation('reasoning', async (s) => {
    await s.ask(
      'Think before you answer.',
      slow(60),
      think('The question is short. I weigh two answers and take the better one of them.'),
      gate('thought'),
      speak('The better answer is seven.'),
    )
    await s.held('thought')
    s.release('thought')
    await s.answered('better answer is seven')
  }),
  situation('same-reply-twice', async (s) => {
    for (const prompt of ['Say the word.', 'Say the word.', 'Say it a third time.']) {
      const before = s.stage.count(WORD)
      await s.ask(prompt, gate('word'), speak(WORD))
      await s.held('word')
      s.release('word')
      await s.stage.seeWords(WORD, before)
      await s.answered()
    }
  }),
  situation('look-alike', async (s) => {
    const text = `This is how my screen looked:\n\n\`\`\`text\n${s.kit.lookAlike}\n\`\`\`\n\nNothing of that is real.\n`
    await s.ask('Show me what your screen looked like.', gate('begin'), slow(20), say(text), gate('shown'))
    await s.held('begin')
    s.release('begin')
    await s.held('shown', 'Nothing of that is real')
    s.release('shown')
    await s.answered('Nothing of that is real')
  }),
  situation('blank-lines', async (s) => {
    await s.ask('First line of mine.\n\nAnd a third one.', slow(20), say(BLANK_LINES))
    await s.answered('And the last')
  }),
  situation(
    'small-80x24',
    async (s) => {
      const long =
        'A sentence that is longer than the eighty columns of this terminal has to be broken somewhere, and the break is not a part of it.'
      await s.ask(`Say something long. ${long}`, slow(20), speak(`${long}\n\n- ${long}\n`))
      await s.answered('the break is not a part of it')
      await s.ask('Now twenty lines.', slow(s.kit.lineMs), say(numbered(20, 'Row')))
      await s.answered('Row 20 stands on a line')
    },
    { cols: 80, rows: 24 },
  ),
  situation('queued-prompt', async (s) => {
    await s.ask(
      'Begin with the first.',
      speak('The first answer is under way.\n\n'),
      gate('middle'),
      speak('It is done.'),
    )
    await s.held('middle', 'first answer is under way')
    await s.queue('Then take the second.', speak('The second answer came after it.'))
    s.release('middle')
    await s.stage.seeWords('second answer came after it')
    await s.answered('second answer came after it')
  }),
  situation('resize-while-streaming', async (s) => {
    await s.ask(
      'Tell me twenty things while I pull at the window.',
      slow(s.kit.lineMs),
      say(numbered(10, 'Early')),
      gate('first'),
      say(numbered(10, 'Later')),
      gate('second'),
      say('And the end of it all.'),
    )
    await s.held('first', 'Early 10 stands on a line')
    await s.stage.resize(80, 24)
    await s.stage.quiet(1000, 2500, false)
    s.release('first')
    await s.held('second', 'Later 10 stands on a line')
    await s.stage.resize(120, 40)
    await s.stage.quiet(1000, 2500, false)
    s.release('second')
    await s.answered('the end of it all')
  }),
  situation(
    'resize-and-resize',
    async (s) => {
      await s.ask(
        'Tell me forty things while I pull at the window.',
        slow(s.kit.lineMs),
        say(numbered(10, 'Early')),
        gate('first'),
        slow(150),
        say(numbered(30, 'Later')),
        say('And the end of it all.'),
      )
      await s.held('first', 'Early 10 stands on a line')
      s.release('first')
      await s.stage.seeWords('Later 02 stands on a line')
      await s.stage.resize(76, 26)
      await s.stage.seeWords('Later 12 stands on a line')
      await s.stage.resize(60, 20)
      await s.answered('the end of it all')
    },
    { cols: 110, rows: 34 },
  ),
]
