import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
// @ts-expect-error a plain script without types
import * as floors from '../../scripts/check-floors.mjs'

interface Violation {
  file: string
  line: number
  message: string
}
const checkFloors = (floors as { checkFloors(root: string): Violation[] }).checkFloors

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'floors-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function check(files: Record<string, string>): string[] {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return checkFloors(root).map(({ file, line, message }) => `${file}:${line}: ${message}`)
}

const rooms = {
  'src/protocol/ids.ts': 'export const id = 1\n',
  'src/terminal/index.ts': "import { id } from '../protocol/ids.js'\nexport { id }\n",
  'src/adapter/index.ts': 'export {}\n',
  'src/session/session.ts': "import '../terminal/index.js'\n",
  'src/hub/client.ts': "import '../protocol/ids.js'\n",
  'src/hub/main.ts': "import { all } from '../../adapters/registry.js'\nexport { all }\n",
  'src/cli/demo.ts': "import '../../adapters/pi/demo.js'\n",
  'adapters/pi/demo.ts': "import 'node:path'\nimport 'zod'\n",
  'src/hub/app.ts': "import 'hono'\nimport '../terminal/index.js'\nimport '../adapter/index.js'\n",
  'src/web/vite.config.ts': "import 'node:url'\nimport 'vite'\n",
  'src/cli/main.ts': "import '../hub/client.js'\nimport '../../adapters/registry.js'\n",
  'src/web/app/main.tsx': "import { id } from '../../protocol/ids.js'\nexport { id }\n",
  'adapters/pi/index.ts': "import './read.js'\nimport '../../src/adapter/index.js'\n",
  'adapters/pi/read.ts': 'export {}\n',
  'adapters/claude/index.ts': 'export {}\n',
  'adapters/registry.ts': "import './pi/index.js'\nexport const all = []\n",
}

it('a good house has no violations', () => {
  expect(check(rooms)).toEqual([])
})

it.each<[string, string, string, RegExp]>([
  ['upwards', 'src/protocol/up.ts', "\n\nimport '../terminal/index.js'", /up\.ts:3: protocol .* above it/],
  ['sideways', 'src/terminal/x.ts', "export * from '../adapter/index.js'", /x\.ts:1: .* on its own floor/],
  [
    'type imports too',
    'src/terminal/y.ts',
    "type S = import('../session/session.js').S",
    /terminal .* session/,
  ],
  ['import()', 'src/terminal/z.ts', "const a = 1\nawait import('../hub/main.js')", /z\.ts:2: .* hub/],
  [
    'an adapter of another',
    'adapters/pi/x.ts',
    "import '../claude/index.js'",
    /adapter pi imports adapter claude/,
  ],
  [
    'an adapter of the terminal',
    'adapters/pi/y.ts',
    "import '../../src/terminal/index.js'",
    /not open to it/,
  ],
  ['the session of a vendor', 'src/session/x.ts', "import '../../adapters/pi/index.js'", /session .* vendor/],
  ['the session of the registry', 'src/session/y.ts', "import '../../adapters/registry.js'", /registry/],
  ['the hub of the registry', 'src/hub/x.ts', "import '../../adapters/registry.js'", /registry/],
  ['the hub of a vendor', 'src/hub/main2.ts', "import '../../adapters/pi/index.js'", /vendor/],
  ['the page of the hub', 'src/web/app/x.ts', "import '../../hub/client.js'", /web .* hub/],
  ['the CLI of the inner hub', 'src/cli/x.ts', "import '../hub/main.js'", /only its client/],
  [
    'the CLI of the session',
    'src/cli/y.ts',
    "import type { S } from '../session/session.js'",
    /cli .* session/,
  ],
  ['the CLI of the registry', 'src/cli/v.ts', "import '../../adapters/registry.js'", /cli .* registry/],
  ['the CLI of a vendor', 'src/cli/w.ts', "import '../../adapters/pi/read.js'", /cli .* vendor/],
  ['the demo of a vendor, from below', 'src/hub/y.ts', "import '../../adapters/pi/demo.js'", /hub .* vendor/],
  ['a package in the protocol', 'src/protocol/x.ts', "import 'hono'", /protocol imports the package hono/],
  [
    'a package in an adapter',
    'adapters/pi/z.ts',
    "import 'ws'",
    /vendor imports the package ws: zod and node:/,
  ],
  ['Node in the page', 'src/web/app/y.ts', "import 'node:fs'", /the page imports node:fs/],
  ['Node in the page, by its short name', 'src/web/app/z.ts', "import 'fs'", /the page imports fs/],
  ['out of the house', 'src/cli/z.ts', "import '../../test/x.js'", /in no room/],
  ['a room without a name', 'src/misc/x.ts', "import '../protocol/ids.js'", /in no room/],
  [
    'terminal internals',
    'src/session/z.ts',
    'const a = 1\n// _core\nterminal._core.x()',
    /z\.ts:3: terminal internals/,
  ],
  ['a long file', 'src/hub/long.ts', 'x\n'.repeat(500), /long\.ts:501: 501 lines/],
])('%s', (_, file, text, message) => {
  const found = check({ ...rooms, [file]: `${text}\n` })
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(message)
})

it('the table of rooms says what is held', () => {
  const own = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
  const told = (text: string) => check({ ...rooms, 'docs/architecture.md': text })
  expect(told(own)).toEqual([])
  const less = own.replace('| session, adapter, terminal, ', '| session, adapter, ')
  expect(told(less)).toMatchObject([/no row .*src\/hub/, /says otherwise .*src\/hub/].map(matching))
  const more = own.replace('| 0 | `src', '| 1 | `src/misc/` | protocol | a room of its own |\n| 0 | `src')
  expect(told(more)).toMatchObject([/says otherwise .*src\/misc/].map(matching))
})

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern)

it('texts and comments are no imports', () => {
  expect(
    check({
      ...rooms,
      'src/protocol/t.ts': "// import '../hub/main.js'\nexport const a = `import '../hub/main.js'`\n",
    }),
  ).toEqual([])
})

it('internals are at home in their one file', () => {
  expect(check({ ...rooms, 'src/terminal/xterm-internals.ts': 't._core\n' })).toEqual([])
})
