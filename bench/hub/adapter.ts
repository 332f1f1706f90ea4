/**
 * @module bench/hub/adapter - a vendor for measuring: its program only holds a terminal open, and a driver writes what
 * a program would. A row with a stamp becomes a journalled event; everything else is read as Pi's screen.
 */
import { adapter as pi } from '../../adapters/pi/index.js'
import type { Adapter, Reading, ScreenView } from '../../src/adapter/index.js'

export const STAMP = /STAMP (\d+)/u

function read(screen: ScreenView): Reading {
  for (let y = 0; y < screen.rows; y += 1) {
    const stamp = STAMP.exec(screen.text(y))
    if (stamp) return reading(`bench.${stamp[1]}`, screen.text(y))
  }
  const seen = pi.read(screen)
  return seen.state === 'unknown' ? reading('bench.ready', screen.text(0)) : seen
}

const reading = (rule: string, text: string): Reading => ({
  state: 'idle',
  rule,
  evidence: [text],
  composer: null,
  dialog: null,
})

export const adapter: Adapter = {
  vendor: {
    id: 'bench',
    name: 'Bench',
    binaries: ['meow-bench-program'],
    binaryVariable: 'MEOW_BENCH_PROGRAM',
    testedVersions: ['1'],
    installHint: '',
    loginHint: '',
    versionArgs: ['--version'],
  },
  capabilities: () => [],
  auth: () => ({ status: 'ok', detail: '' }),
  launch: ({ binary, args, env, cwd }) => ({
    argv: [binary, ...args],
    env: { ...env, PWD: cwd },
    files: [],
    vendorSessionId: null,
    facts: {},
  }),
  read,
  ...(pi.grammar ? { grammar: pi.grammar } : {}),
  sources: () => [],
  stateWriter: 'screen',
  ready: (seen) => seen.reading !== null,
  admits: () => ({ ok: true }),
  deliver: () => [],
  interrupt: () => [],
}
