/** @module test/recording/situations/tools - situations in which tools run, ask and fail. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DialogKit, Kit } from '../kit.js'
import { edit, gate, read, say, shell, slow, speak, write } from '../steps.js'
import { type Situation, situation } from './situation.js'
import { numbered } from './texts.js'

const NOTES = 'alpha\nbeta\ngamma\n'
const ASK = { permission: 'ask' } as const
/** Runs until it is stopped, and a file says that it does. */
const ENDLESS = 'touch begun; while true; do sleep 1; done'

export const TOOLS: readonly Situation[] = [
  situation('shell', async (s) => {
    await s.ask(
      'Make a folder and look into it.',
      speak('I make the folder first.'),
      shell('mkdir -p boats && touch boats/anna && ls boats'),
      speak('The folder has one boat in it.'),
    )
    await s.answered('one boat in it')
  }),
  situation('shell-fails', async (s) => {
    s.expect('exit 3', s.kit.callAfterFailure)
    await s.ask(
      'Run what cannot work.',
      shell('echo no such boat >&2; exit 3'),
      speak('The command has failed with code three.'),
    )
    await s.answered('failed with code three')
  }),
  situation('shell-long-output', async (s) => {
    await s.ask(
      'Count to sixty in the shell.',
      shell('for i in $(seq 60); do echo "count $i of sixty"; done'),
      speak('It has counted to sixty.'),
    )
    await s.answered('has counted to sixty')
  }),
  situation(
    'read-edit-write',
    async (s) => {
      await s.ask(
        'Change the notes and write a copy.',
        read('notes.txt'),
        edit('notes.txt', 'beta', 'BETA'),
        write('copy.txt', 'one\ntwo\n'),
        speak('Both files are as you wanted.'),
      )
      await s.answered('Both files are as you wanted')
    },
    { files: { 'notes.txt': NOTES } },
  ),
  situation(
    'permission-allowed',
    async (s) => {
      const { shellDialog, writeDialog } = dialogsOf(s.kit)
      await s.ask(
        'Make a marker, and write a file.',
        speak('I ask before I do it.'),
        shell('mkdir -p sub && touch sub/marker'),
        write('list.txt', 'red\ngreen\n'),
        speak('Marker and file are made.'),
      )
      await s.dialog('permission', shellDialog, 'allow')
      await s.dialog('permission', writeDialog, 'allow')
      await s.answered('Marker and file are made')
    },
    { wish: ASK },
  ),
  situation(
    'permission-denied',
    async (s) => {
      const { shellDialog } = dialogsOf(s.kit)
      s.expect('sub/denied', s.kit.denied.status)
      await s.ask(
        'Make a marker.',
        speak('I ask before I do it.'),
        shell('mkdir -p sub && touch sub/denied'),
        speak('Then I leave it as it is.'),
      )
      await s.dialog('permission', shellDialog, 'deny')
      if (s.kit.denied.stop === null) await s.answered('I leave it as it is')
      else await s.over(s.kit.denied.stop)
      await s.ask('Do something else.', speak('Something else is done.'))
      await s.answered('Something else is done')
    },
    { wish: ASK },
  ),
  situation('interrupt-text', async (s) => {
    await s.ask(
      'Tell me a long story.',
      slow(20),
      say('Once there was a boat.\n\nIt lay in the harbour.\n\nNobody knew its name.\n\n'),
      gate('middle'),
      say('This is never told.'),
    )
    await s.held('middle', 'Nobody knew its name')
    await s.interrupt('text')
    await s.ask('Are you back?', speak('I am back.'))
    await s.answered('I am back')
  }),
  situation('interrupt-tool', async (s) => {
    s.expect('touch begun', s.kit.callAfterInterrupt)
    await s.ask('Run something endless.', shell(ENDLESS), speak('This is never told.'))
    await s.toolRuns(() => existsSync(join(s.setup.cwd, 'begun')))
    await s.interrupt('tool')
    await s.ask('Are you back?', speak('I am back.'))
    await s.answered('I am back')
  }),
  situation(
    'wide-200x50',
    async (s) => {
      await s.ask(
        'Read the notes and tell me twelve things.',
        read('notes.txt'),
        shell('mkdir -p wide && ls'),
        slow(s.kit.lineMs),
        say(numbered(12, 'Point')),
      )
      await s.answered('Point 12 stands on a line')
    },
    { cols: 200, rows: 50, files: { 'notes.txt': NOTES } },
  ),
]

function dialogsOf({ shellDialog, writeDialog }: Kit): { shellDialog: DialogKit; writeDialog: DialogKit } {
  if (shellDialog === null || writeDialog === null) throw new Error('it never asks')
  return { shellDialog, writeDialog }
}
