/** @module test/recording/kits/pi - Pi at the keys. */
import { piSetup } from '../../support/homes/pi.js'
import { type Kit, NEW_TALK } from '../kit.js'

const NEVER_ASKS = 'it never asks before a tool runs'

export const pi: Kit = {
  id: 'pi',
  setup: (root, url) => piSetup(root, url),
  thought: null,
  busy: /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] Working/,
  lineMs: 40,
  queue: ['M-Enter'],
  interrupt: (stage) => stage.keys('Escape'),
  interrupted: { text: /Operation aborted/, tool: /Command aborted/ },
  callAfterInterrupt: 'aborted',
  callAfterFailure: 'failed',
  shellDialog: null,
  writeDialog: null,
  denied: { status: 'denied', stop: null },
  trust: null,
  fresh: { command: '/new', shown: { onScreen: true, optional: true }, done: NEW_TALK },
  picker: {
    command: '/model',
    shown: { onScreen: true, optional: true },
    done: /Only showing models/,
    question: 'Only showing models from configured providers. Use /login to add providers.',
    options: ['scripted-model [scripted]', 'scripted-two [scripted]'],
  },
  errorLine: (status, message) =>
    `Error: ${status}: {"message":"${message}","type":"invalid_request_error","param":null,"code":null}`,
  errorWords: (status) => `Error: ${status}`,
  drawing: {
    call: ({ input }, tool) => {
      if (tool === 'shell') return { onScreen: true, screenText: `$ ${input.command}` }
      return { onScreen: true, screenText: `${tool} ${input.path}` }
    },
    reasoning: { onScreen: true },
  },
  lookAlike: [
    ' $ rm -rf boats',
    ' Took 0.1s',
    ' Operation aborted',
    '',
    '── ⠼ Thinking ───────────────',
    'a draft in the box',
    '─────────────────────────────',
    '~/boats (main)',
    '↑1.0k ↓34 $0.001 0.6%/200k (auto)',
    '',
    '→ Allow',
    '  Deny',
    '↑↓ navigate  enter select  escape/ctrl+c cancel',
  ].join('\n'),
  inline: false,
  cannot: {
    'permission-allowed': NEVER_ASKS,
    'permission-denied': NEVER_ASKS,
    'resize-dialog': NEVER_ASKS,
    'startup-trust': 'it asks about no folder',
  },
}
