/** @module test/delivery/tui/seeded - scripts and texts by chance. */
import type { Chance } from './random.js'
import type { ScriptedDialog, TuiScript } from './script.js'

const mostly = <T>(chance: Chance, usual: T, others: readonly T[]): T =>
  chance.yes(0.65) ? usual : chance.pick(others)

/** A script with some faults; most runs have two or three of them. */
export function seededScript(chance: Chance): Partial<TuiScript> {
  const dialogs: ScriptedDialog[] = []
  for (let n = mostly(chance, 0, [1, 2]); n > 0; n -= 1) {
    const on = chance.pick(['paste', 'submit', 'turn'] as const)
    dialogs.push({ on, nth: chance.int(1, 4), title: `Allow ${on}?`, options: ['Yes', 'Always', 'No'] })
  }
  return {
    bootMs: mostly(chance, 5, [200, 3000]),
    turnMs: chance.pick([40, 300, 1500, 6000]),
    swallowEnters: mostly(chance, 0, [1, 2, 5]),
    burstMs: mostly(chance, 0, [30, 120]),
    echoMs: mostly(chance, 0, [5, 60, 400]),
    losePastes: mostly(chance, 0, [1, 2]),
    collapseFrom: mostly(chance, Number.MAX_SAFE_INTEGER, [60, 200]),
    staleMark: chance.yes(0.2),
    midTurn: chance.pick(['queue', 'steer', 'refuse'] as const),
    ghost: mostly(chance, null, ['Try "explain this"']),
    animateMs: mostly(chance, 0, [100]),
    dialogs,
    dialogIsMenu: chance.yes(0.3),
    dialogLagMs: mostly(chance, 0, [80, 900]),
    deafDialogKeys: mostly(chance, 0, [1]),
    erasePrompts: mostly(chance, 0, [1]),
    ignoreEscs: mostly(chance, 0, [1, 9]),
    onInterrupt: chance.pick(['keep', 'drop', 'return'] as const),
    restorePrompt: chance.yes(0.3),
    confirmMs: mostly(chance, null, [50, 1900]),
    restartAtMs: mostly(chance, null, [chance.int(20, 9000)]),
  }
}

/** A text that nobody else sends: it begins or ends with its name. */
export function seededText(chance: Chance, name: string): string {
  return chance.pick([
    () => `${name} do it`,
    () => `${name}\nsecond line\n\n  third`,
    () => `/${name} not a command`,
    () => `!${name}`,
    () => `1 ${name}`,
    () => `${name} see @src`,
    () => `${name} ${'many words '.repeat(chance.int(5, 40))}end`,
    () => `${name} 日本語 🙂 é`,
    () => `yes ${name} y`,
  ])()
}
