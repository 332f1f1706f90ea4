/** @module test/recording/kits/claude - Claude Code at the keys. */
import { claudeSetup } from '../../support/homes/claude.js'
import { digitOf, type Kit, NEW_TALK, press, typed } from '../kit.js'

const READS = 'Read 1 file (ctrl+o to expand)'

export const claude: Kit = {
  id: 'claude',
  setup: (root, url, { permission, trusted }) => claudeSetup(root, url, { permission, trusted }),
  thought: /Thought for \d+s(?= \(ctrl\+o to expand\)|, )/,
  thoughtAlone: (label) => `${label} (ctrl+o to expand)`,
  busy: /esc to interrupt/,
  lineMs: 40,
  queue: ['Enter'],
  interrupt: (stage) => stage.keys('Escape'),
  interrupted: { text: /Interrupted ·/, tool: /Interrupted ·/ },
  callAfterInterrupt: 'aborted',
  callAfterFailure: 'failed',
  shellDialog: {
    question: 'Do you want to proceed?',
    options: ['Yes', "Yes, and don't ask again", 'No'],
    open: /Do you want to proceed\?/,
    allow: typed('Yes', '1'),
    deny: digitOf('No', /(\d)\. No\b/),
  },
  writeDialog: {
    question: 'Do you want to create list.txt?',
    options: ['Yes', 'Yes, allow all edits during this session (shift+tab)', 'No'],
    open: /Do you want to create list\.txt\?/,
    allow: typed('Yes', '1'),
    deny: digitOf('No', /(\d)\. No\b/),
  },
  denied: { status: 'denied', stop: 'denied' },
  trust: {
    question: 'Quick safety check: Is this a project you created or one you trust?',
    options: ['Yes, I trust this folder', 'No, exit'],
    open: /Yes, I trust this folder/,
    allow: press('Yes, I trust this folder', 'Enter'),
    deny: typed('No, exit', '2'),
  },
  fresh: { command: '/clear', shown: { onScreen: true }, done: NEW_TALK },
  compact: {
    command: '/compact',
    shown: { onScreen: true },
    done: /Compacted \(ctrl\+o/,
    says: null,
  },
  locals: [
    { command: '/context', shown: { onScreen: true }, done: /tokens \(\d+%\)/ },
    { command: '/release-notes', shown: { onScreen: true }, done: /full changelog/ },
    { command: '/help', shown: { onScreen: true }, done: /Custom commands/, close: ['Escape'] },
    { command: '/status', shown: { onScreen: true }, done: /Settings +Status/, close: ['Escape'] },
  ],
  views: ['C-o', 'C-o', 'C-o', 'Escape'],
  picker: {
    command: '/model',
    shown: { onScreen: true },
    done: /Select model/,
    question: 'Select model',
    options: ['Default (recommended)', 'Opus', 'Sonnet', 'Haiku'],
  },
  errorLine: (status, message) => `API Error: ${status} ${message}`,
  errorWords: (status) => `API Error: ${status}`,
  drawing: {
    call: ({ input }, tool) => {
      if (tool === 'read') return { onScreen: 'partial', screenText: READS }
      const name = String(input.file_path ?? '')
        .split('/')
        .at(-1)
      if (tool === 'edit') return { onScreen: true, screenText: `Update(${name})` }
      if (tool === 'write') return { onScreen: true, screenText: `Write(${name})` }
      return { onScreen: true }
    },
    // Folded to how long it took.
    reasoning: { onScreen: 'partial' },
  },
  lookAlike: [
    '❯ Please delete everything',
    '',
    '● Bash(rm -rf boats)',
    '  ⎿  Interrupted · What should Claude do instead?',
    '',
    '● I will do that now.',
    '',
    ' Do you want to do that?',
    ' ❯ 1. Yes',
    '   2. No',
    '',
    '─────────────────────────',
    '❯ a draft in the box',
    '─────────────────────────',
    '  ? for shortcuts',
  ].join('\n'),
  inline: false,
  cannot: {},
}
