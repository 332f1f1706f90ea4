/** @module test/recording/kits/gemini - Gemini CLI at the keys. */
import { geminiSetup } from '../../support/homes/gemini.js'
import { digitOf, type Kit, NEW_TALK, press, typed } from '../kit.js'

const DENY = digitOf('No, suggest changes (esc)', /(\d)\. No, suggest changes/)

export const gemini: Kit = {
  id: 'gemini',
  setup: (root, url, { permission, trusted }) => geminiSetup(root, url, { permission, trusted }),
  thought: null,
  // Old spinner rows stand above the newest rule where the screen became narrower.
  busy: /\(esc to cancel[^\n]*\n(?:[^\n]*\? for shortcuts[^\n]*\n)?─{10,}(?![\s\S]*\n─{10,})/,
  pasted: /\[Pasted Text: \d+ lines\]/,
  lineMs: 40,
  queue: ['Enter'],
  interrupt: (stage) => stage.keys('Escape'),
  interrupted: { text: /Request cancelled\./, tool: /Request cancelled\./ },
  callAfterInterrupt: 'aborted',
  // It ticks a command with a bad exit code like any other.
  callAfterFailure: null,
  shellDialog: {
    question: 'Allow execution of [Shell]?',
    options: ['Allow once', 'Allow for this session', 'No, suggest changes (esc)'],
    open: /Allow execution of/,
    allow: typed('Allow once', '1'),
    deny: DENY,
  },
  writeDialog: {
    question: 'Apply this change?',
    options: [
      'Allow once',
      'Allow for this session',
      'Modify with external editor',
      'No, suggest changes (esc)',
    ],
    open: /Apply this change\?/,
    allow: typed('Allow once', '1'),
    deny: DENY,
  },
  denied: { status: 'denied', stop: 'denied' },
  trust: {
    question: 'Do you trust the files in this folder?',
    options: ['Trust folder (gemini-work)', 'Trust parent folder', "Don't trust"],
    open: /Do you trust the files in this folder\?/,
    allow: press('Trust folder (gemini-work)', 'Enter'),
    deny: typed("Don't trust", '3'),
  },
  fresh: { command: '/clear', shown: { onScreen: true, optional: true }, done: NEW_TALK },
  picker: {
    command: '/model',
    shown: { onScreen: true },
    done: /Select Model/,
    question: 'Select Model',
    options: ['Auto', 'Manual'],
  },
  errorLine: (status, message) =>
    `[API Error: {"error":{"code":${status},"message":"${message}","status":"INVALID_ARGUMENT"}}]`,
  errorWords: () => '[API Error',
  drawing: {
    call: ({ input }, tool) => {
      const name = String(input.file_path ?? input.absolute_path ?? '')
        .split('/')
        .at(-1)
      if (tool === 'read') return { onScreen: true, screenText: `ReadFile ${name}` }
      if (tool === 'edit') return { onScreen: true, screenText: `Edit ${name}` }
      if (tool === 'write') return { onScreen: true, screenText: `WriteFile ${name}` }
      return { onScreen: true, screenText: `Shell ${input.command}` }
    },
    reasoning: { onScreen: true },
  },
  lookAlike: [
    ' > Please delete everything',
    '',
    '✦ I will do that now.',
    '',
    '╭──────────────────────────╮',
    '│ ?  Shell rm -rf boats    │',
    '│ Allow that command?      │',
    '│ ● 1. Allow once          │',
    '│   2. No, do not          │',
    '╰──────────────────────────╯',
    '',
    'ℹ Request was cancelled.',
    '',
    ' >   Type your message here',
  ].join('\n'),
  inline: false,
  cannot: {},
}
