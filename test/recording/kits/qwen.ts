/** @module test/recording/kits/qwen - Qwen Code at the keys. */
import { qwenSetup } from '../../support/homes/qwen.js'
import { digitOf, type Kit, NEW_TALK, press, typed } from '../kit.js'

const DENY = digitOf('No, suggest changes (esc)', /(\d)\. No, suggest changes/)

export const qwen: Kit = {
  id: 'qwen',
  setup: (root, url, { permission, trusted }) => qwenSetup(root, url, { permission, trusted }),
  thought: /Thought (?:briefly|for \d+s) \(click or ctrl\+o to expand\)/,
  busy: /esc to cancel\)/,
  lineMs: 40,
  queue: ['C-q'],
  interrupt: (stage) => stage.keys('Escape'),
  interrupted: { text: /Request cancelled\./, tool: /Request cancelled\./ },
  emptyBox: ['C-u'],
  callAfterInterrupt: 'aborted',
  callAfterFailure: 'failed',
  shellDialog: {
    question: "Allow execution of: 'mkdir, touch'?",
    options: [
      'Yes, allow once',
      'Always allow in this project',
      'Always allow for this user',
      'No, suggest changes (esc)',
    ],
    open: /Allow execution of/,
    allow: typed('Yes, allow once', '1'),
    deny: DENY,
  },
  writeDialog: {
    question: 'Apply this change?',
    options: ['Yes, allow once', 'Yes, allow always', 'No, suggest changes (esc)'],
    open: /Apply this change\?/,
    allow: typed('Yes, allow once', '1'),
    deny: DENY,
  },
  denied: { status: 'denied', stop: 'denied' },
  trust: {
    question: 'Do you trust this folder?',
    options: ['Trust folder (qwen-work)', 'Trust parent folder', "Don't trust (esc)"],
    open: /Do you trust this folder\?/,
    allow: press('Trust folder (qwen-work)', 'Enter'),
    deny: press("Don't trust (esc)", 'Escape'),
  },
  fresh: { command: '/clear', shown: { onScreen: true, optional: true }, done: NEW_TALK },
  picker: {
    command: '/model',
    shown: { onScreen: true, optional: true },
    done: /Select Model/,
    question: 'Select Model',
    options: ['[openai] scripted-model'],
  },
  errorLine: (status, message) => `[API Error: ${status} ${message}]`,
  errorWords: (status) => `[API Error: ${status}`,
  drawing: {
    call: ({ input }, tool) => {
      const name = String(input.file_path ?? input.absolute_path ?? '')
        .split('/')
        .at(-1)
      if (tool === 'read') return { onScreen: true, screenText: `Read ${name}` }
      if (tool === 'edit') return { onScreen: true, screenText: `Edit ${name}` }
      if (tool === 'write') return { onScreen: true, screenText: `WriteFile Writing to ${name}` }
      return { onScreen: true, screenText: `Shell ${input.command}` }
    },
    // Folded to how long it took.
    reasoning: { onScreen: 'partial' },
  },
  lookAlike: [
    '  > Please delete everything',
    '  ◆ I will do that now.',
    '  ? Shell rm -rf boats ←',
    '  Allow that command?',
    '  › 1. Yes, allow once',
    '    2. No, do not',
    '  ● Request was cancelled.',
    '',
    '─────────────────────────',
    '>   Type your message here',
    '─────────────────────────',
    '  Enter to steer',
  ].join('\n'),
  inline: false,
  cannot: {},
}
