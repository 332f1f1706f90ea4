/** @module scripts/floors/rooms - which room a file belongs to, and which rooms and packages each may import. */
import { isBuiltin } from 'node:module'

/**
 * Imports point down: a room may import what its line names, and itself. Rooms of one floor do not know each other.
 * @type {Readonly<Record<string, {floor: number, may: readonly string[]}>>}
 */
export const ROOMS = {
  protocol: { floor: 0, may: [] },
  terminal: { floor: 1, may: ['protocol'] },
  journal: { floor: 1, may: ['protocol'] },
  policy: { floor: 1, may: ['protocol'] },
  adapter: { floor: 1, may: ['protocol'] },
  'model-server': { floor: 1, may: ['protocol'] },
  vendor: { floor: 2, may: ['adapter', 'protocol'] },
  registry: { floor: 2, may: ['vendor', 'adapter', 'protocol'] },
  session: { floor: 3, may: ['adapter', 'terminal', 'journal', 'policy', 'protocol'] },
  hub: { floor: 4, may: ['session', 'adapter', 'terminal', 'journal', 'policy', 'protocol'] },
  cli: { floor: 5, may: ['hub', 'model-server', 'protocol'] },
  web: { floor: 5, may: ['protocol'] },
}

/** The entries of the two programs: they name the vendors and hand the list down. */
const ENTRIES = ['src/hub/main.ts', 'src/cli/main.ts']
/** The faces of the hub for those above it: its client, and what needs no daemon. */
const HUB_FACES = /^src\/hub\/(client|offline)(\.ts|\/)/

/** What the command line may know of a vendor: the settings of its demo. */
const VENDOR_DEMO = /^adapters\/[^/]+\/demo\.ts$/

/**
 * Packages that a room may import; a room that is not here may import any.
 * @type {Readonly<Record<string, {may: (name: string) => boolean, rule: string}>>}
 */
const PACKAGES = {
  protocol: { may: zodOrNode, rule: 'zod and node: only' },
  adapter: { may: zodOrNode, rule: 'zod and node: only' },
  vendor: { may: zodOrNode, rule: 'zod and node: only' },
}

/** The part of the web that runs in a browser. */
const PAGE = 'src/web/app/'

/**
 * The room of a file (path from the root, with `/`), and its vendor for an adapter's file; null where there is none.
 * @param {string} path
 * @returns {{room: string, vendor: string | null} | null}
 */
export function roomOf(path) {
  if (path === 'adapters/registry.ts') return { room: 'registry', vendor: null }
  const [top, name, rest] = path.split('/', 3)
  if (name === undefined || rest === undefined) return null
  if (top === 'adapters') return { room: 'vendor', vendor: name }
  return top === 'src' && name in ROOMS ? { room: name, vendor: null } : null
}

/**
 * What is wrong with one import, or null.
 * @param {string} from @param {string} to Both from the root, with `/`.
 */
export function judgeImport(from, to) {
  const importer = roomOf(from)
  if (importer === null)
    return `${from} is in no room (src/<room>/, adapters/<vendor>/ or adapters/registry.ts)`
  // The package's own description is no room: anyone may read the version there.
  if (to === 'package.json') return null
  const target = roomOf(to)
  if (target === null) return `imports ${to}, which is in no room`
  if (importer.room === 'vendor' && target.room === 'vendor') {
    if (importer.vendor === target.vendor) return null
    return `adapter ${importer.vendor} imports adapter ${target.vendor}: adapters do not know each other`
  }
  if (importer.room === target.room) return null
  if (target.room === 'registry' && ENTRIES.includes(from)) return null
  if (importer.room === 'cli' && VENDOR_DEMO.test(to)) return null
  if (importer.room === 'cli' && target.room === 'hub' && !HUB_FACES.test(to)) {
    return `cli imports ${to}: of the hub only its client (src/hub/client.ts) and what needs no daemon (src/hub/offline.ts) are open to it`
  }
  const { floor, may } = ROOMS[importer.room] ?? { floor: 0, may: [] }
  if (may.includes(target.room)) return null
  const targetFloor = ROOMS[target.room]?.floor ?? 0
  const why = targetFloor > floor ? 'above it' : targetFloor === floor ? 'on its own floor' : 'not open to it'
  return `${importer.room} (floor ${floor}) imports ${target.room} (floor ${targetFloor}), which is ${why}: ${to}`
}

/**
 * What is wrong with the import of a package, or null.
 * @param {string} from From the root, with `/`. @param {string} name As it is imported.
 */
export function judgePackage(from, name) {
  if (from.startsWith(PAGE) && isBuiltin(name))
    return `the page imports ${name}: a browser has no modules of Node`
  const room = roomOf(from)?.room ?? ''
  const packages = PACKAGES[room]
  if (packages === undefined || packages.may(name)) return null
  return `${room} imports the package ${name}: ${packages.rule}`
}

function zodOrNode(/** @type {string} */ name) {
  return name === 'zod' || name.startsWith('node:')
}
