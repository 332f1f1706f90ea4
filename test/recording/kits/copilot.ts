/** @module test/recording/kits/copilot - GitHub Copilot CLI at the keys. */
import { copilotSetup } from '../../support/homes/copilot.js'
import { type Kit, NEW_TALK, press, typed } from '../kit.js'

const STOP = press('Escape (stopped)', 'Escape')

export const copilot: Kit = {
  id: 'copilot',
  setup: (root, url, { permission, trusted }) => copilotSetup(root, url, { permission, trusted }),
  // How long differs from thought to thought.
  thought: /Thought for/,
  busy: /esc esc|esc again|Cancelling|◉/,
  lineMs: 100,
  queue: ['Enter'],
  interrupt: (stage) => stage.keys('C-c'),
  interrupted: { text: /Operation cancelled by user/, tool: /Operation (?:aborted|cancelled) by user/ },
  callAfterInterrupt: 'aborted',
  callAfterFailure: 'failed',
  shellDialog: {
    question: 'Do you want to run this command?',
    options: ['Yes', "Yes, and don't ask again", 'No, and tell Copilot what to do differently (Esc to stop)'],
    open: /Do you want to run this command\?/,
    allow: typed('Yes', '1'),
    deny: STOP,
  },
  writeDialog: {
    question: 'Do you want to create list.txt?',
    options: ['Yes', "Yes, and don't ask again", 'No, and tell Copilot what to do differently (Esc to stop)'],
    open: /Do you want to create/,
    allow: typed('Yes', '1'),
    deny: STOP,
  },
  // Escape stops the whole turn.
  denied: { status: 'aborted', stop: 'interrupted' },
  trust: {
    question: 'Confirm folder trust',
    options: ['Yes', 'Yes, and remember this folder for future sessions', 'No (Esc)'],
    open: /Confirm folder trust/,
    allow: press('Yes', 'Enter'),
    deny: press('No (Esc)', 'Escape'),
  },
  fresh: { command: '/clear', shown: { onScreen: true, optional: true }, done: NEW_TALK },
  picker: {
    command: '/model',
    shown: { onScreen: true, optional: true },
    done: /Search models/,
    question: 'Search models…',
    options: ['scripted-model'],
  },
  errorLine: (status, message) => `${status} ${message}`,
  errorWords: (status, message) => `${status} ${message}`,
  drawing: {
    call: ({ input }, tool) => {
      const name = String(input.path ?? '')
        .split('/')
        .at(-1)
      if (tool === 'read') return { onScreen: true, screenText: `Read ${name}` }
      if (tool === 'edit') return { onScreen: true, screenText: `Edit ${name}` }
      if (tool === 'write') return { onScreen: true, screenText: `Create ${name}` }
      if (tool === 'shell') return { onScreen: true, screenText: `Shell ${input.description}` }
      return { onScreen: 'partial' }
    },
    // Folded to how long it took.
    reasoning: { onScreen: 'partial' },
  },
  lookAlike: [
    ' ❯ Please delete everything',
    '',
    ' ● I will do that now.',
    '',
    ' $ Shell Run rm -rf boats 2 lines…',
    '',
    '╭───────────────────────────╮',
    '│ Do you want to do that?   │',
    '│ ❯ 1. Yes                  │',
    '│   2. No                   │',
    '╰───────────────────────────╯',
    '',
    '❯ a draft in the box',
  ].join('\n'),
  inline: false,
  cannot: {},
}
