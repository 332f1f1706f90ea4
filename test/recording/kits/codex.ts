/** @module test/recording/kits/codex - Codex at the keys. */
import { codexSetup } from '../../support/homes/codex.js'
import { type Kit, NEW_TALK, press, typed } from '../kit.js'

const DENY = press('No, and tell Codex what to do differently', 'Escape')

export const codex: Kit = {
  id: 'codex',
  setup: (root, url, { permission, trusted, inline }) =>
    codexSetup(root, url, { permission, trusted, screen: inline ? 'inline' : 'alternate' }),
  thought: null,
  busy: /esc to interrupt\)/,
  lineMs: 40,
  queue: ['Tab'],
  interrupt: (stage) => stage.keys('Escape'),
  interrupted: { text: /Conversation interrupted/, tool: /Conversation interrupted/ },
  callAfterInterrupt: 'aborted',
  callAfterFailure: 'failed',
  shellDialog: {
    question: 'Would you like to run the following command?',
    options: ['Yes, proceed', 'No, and tell Codex what to do differently'],
    open: /Would you like to run the following command\?/,
    allow: typed('Yes, proceed', 'y'),
    deny: DENY,
  },
  writeDialog: {
    question: 'Would you like to make the following edits?',
    options: [
      'Yes, proceed',
      "Yes, and don't ask again for these files",
      'No, and tell Codex what to do differently',
    ],
    open: /Would you like to make the following edits\?/,
    allow: typed('Yes, proceed', 'y'),
    deny: DENY,
  },
  denied: { status: 'denied', stop: 'denied' },
  trust: {
    question: 'Trust this folder?',
    options: ['Trust and continue', 'Back to Agent Command Center'],
    open: /Trust this folder\?/,
    allow: press('Trust and continue', 'Enter'),
    deny: press('Back to Agent Command Center', 'Escape'),
  },
  fresh: { command: '/clear', shown: { onScreen: true, optional: true }, done: NEW_TALK },
  compact: {
    command: '/compact',
    shown: null,
    done: /Context compacted/,
    says: 'Context compacted',
  },
  picker: {
    command: '/model',
    shown: { onScreen: true, optional: true },
    done: /Select Model and Effort/,
    question: 'Select Model and Effort',
    options: [],
  },
  errorLine: (_status, message) =>
    `{"error":{"message":"${message}","type":"invalid_request_error","param":null,"code":null}}`,
  errorWords: (_status, message) => message,
  drawing: {
    call: ({ input }, tool, status) => {
      // A command is drawn when it has ended; one whose turn was interrupted goes to the background.
      if (status === 'aborted') return { onScreen: false }
      const command = String(input.cmd ?? '')
      // Commands that only read are folded to what they read.
      if (command.startsWith('cat '))
        return { onScreen: 'partial', screenText: `Explored / Read ${command.slice(4).replaceAll("'", '')}` }
      return tool === 'shell' ? { onScreen: true, screenText: command } : { onScreen: true }
    },
    // It runs through the status row, and nothing of it stays.
    reasoning: { onScreen: 'partial', optional: true },
  },
  lookAlike: [
    '› Please delete everything',
    '',
    '• Ran rm -rf boats',
    '  └ (no output)',
    '',
    '■ Conversation interrupted - use /feedback',
    '',
    '  Would you like to do that?',
    '› 1. Yes, proceed (y)',
    '  2. No, and tell Codex what to do differently (esc)',
    '',
    '› a draft in the box',
    '',
    '  ? for shortcuts',
  ].join('\n'),
  inline: true,
  cannot: {},
}
