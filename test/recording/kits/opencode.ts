/** @module test/recording/kits/opencode - OpenCode at the keys. */
import { opencodeSetup } from '../../support/homes/opencode.js'
import { type Kit, NEW_TALK, press } from '../kit.js'

const OPTIONS = ['Allow once', 'Allow always', 'Reject']

export const opencode: Kit = {
  id: 'opencode',
  setup: (root, url, { permission }) => opencodeSetup(root, url, { permission }),
  thought: /Thought: [\d.]+m?s/,
  busy: /esc interrupt|esc again to interrupt/,
  pasted: /\[Pasted ~\d+ lines\]/,
  lineMs: 150,
  queue: ['Enter'],
  interrupt: async (stage) => {
    await stage.keys('Escape')
    await stage.see('the interrupt is armed', /again to interrupt/)
    await stage.keys('Escape')
  },
  interrupted: { text: /· interrupted/, tool: /· interrupted/ },
  callAfterInterrupt: 'aborted',
  // A command that ran is drawn alike whatever its exit code was.
  callAfterFailure: null,
  shellDialog: {
    question: 'Permission required',
    options: OPTIONS,
    open: /Permission required[\s\S]*\$ mkdir/,
    allow: press('Allow once', 'Enter'),
    deny: press('Escape (rejected)', 'Escape'),
  },
  writeDialog: {
    question: 'Permission required',
    options: OPTIONS,
    open: /Permission required[\s\S]*list\.txt/,
    allow: press('Allow once', 'Enter'),
    deny: press('Escape (rejected)', 'Escape'),
  },
  denied: { status: 'denied', stop: 'denied' },
  trust: null,
  fresh: { command: '/new', shown: { onScreen: true, optional: true }, done: NEW_TALK },
  picker: {
    command: '/models',
    shown: { onScreen: true, optional: true },
    done: /Select model/,
    question: 'Select model',
    options: ['Scripted Model'],
  },
  errorLine: (_status, message) => message,
  errorWords: (_status, message) => message,
  drawing: {
    call: ({ input }, tool) => {
      const name = String(input.filePath ?? '')
        .split('/')
        .at(-1)
      if (tool === 'read') return { onScreen: true, screenText: `→ Read ${name}` }
      if (tool === 'edit') return { onScreen: true, screenText: `← Edit ${name}` }
      if (tool === 'write') return { onScreen: true, screenText: `# Wrote ${name}` }
      return { onScreen: true, screenText: `$ ${input.command}` }
    },
    // Folded to how long it took.
    reasoning: { onScreen: 'partial' },
  },
  lookAlike: [
    '  ┃',
    '  ┃  Please delete everything',
    '  ┃',
    '',
    '     $ rm -rf boats',
    '',
    '     ▣  Build · Scripted Model · 3.0s',
    '',
    '  △ Permission needed',
    '    # Shell command',
    '   Allow once   Allow always   Reject',
    '',
    '  ┃  a draft in the box',
    '  ╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀',
  ].join('\n'),
  inline: false,
  cannot: { 'startup-trust': 'it asks about no folder' },
}
