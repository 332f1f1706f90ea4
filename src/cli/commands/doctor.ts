/** @module cli/commands/doctor - what is there, what is missing, and the one command that mends it. */
import { z } from 'zod'
import { MeowError } from '../../protocol/errors.js'
import { command, common, printJson } from '../command.js'
import type { Check } from '../doctor/check.js'
import { checkNode, checkStateFolder, checkTmux } from '../doctor/machine.js'
import { checkHub, checkVendor } from '../doctor/vendors.js'
import { EXIT } from '../exits.js'

const MARK = { ok: 'ok', warn: 'warn', missing: 'MISSING' } as const
const COLOR = { ok: '\u001b[32m', warn: '\u001b[33m', missing: '\u001b[31m' } as const

export const doctor = command({
  name: 'doctor',
  summary: 'check what the bridge and the vendors need, and say what mends it',
  args: [{ flags: '[vendor]', about: 'only this one' }],
  options: [],
  notes:
    'Exits 1 when something is missing that the named vendor needs, or, without a name, when no vendor at all\n' +
    'could be started. Looks only: it starts no hub and no session, and changes nothing.',
  examples: [
    ['doctor', 'everything'],
    ['doctor claude', 'what Claude Code needs'],
    ['doctor --json', 'one document for a program'],
  ],
  input: z.object({ ...common, vendor: z.string().optional() }),
  async run(shell, { json, vendor: wanted }) {
    const machine = [checkNode(), await checkTmux(shell.env), checkStateFolder(shell.hubs.home)]
    const hub = await checkHub(shell.hubs)
    const vendors = await shell.vendors()
    const chosen = wanted === undefined ? vendors : vendors.filter(({ id }) => id === wanted)
    if (wanted !== undefined && chosen.length === 0) {
      throw new MeowError('vendor_unknown', `no adapter is called "${wanted}"`, {
        hint: `there are: ${vendors.map(({ id }) => id).join(', ')}`,
      })
    }
    const base = [...machine, hub]
    const perVendor = chosen.map(checkVendor)
    const usable = perVendor.some(({ status }) => status !== 'missing')
    const healthy = base.every(({ status }) => status !== 'missing') && usable
    if (json) printJson(shell, { ok: healthy, checks: base, vendors: pair(chosen, perVendor) })
    else shell.out(report([...base, ...perVendor], shell.color))
    return healthy ? EXIT.ok : EXIT.error
  },
})

function pair<V>(vendors: readonly V[], checks: readonly Check[]) {
  return vendors.map((vendor, index) => ({ ...vendor, check: checks[index] }))
}

function report(checks: readonly Check[], color: boolean): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  return checks
    .map(({ name, status, detail, fix }) => {
      const mark = MARK[status].padEnd(7)
      const shown = color ? `${COLOR[status]}${mark}\u001b[0m` : mark
      const mend = fix === null ? '' : `\n${' '.repeat(8)} ${' '.repeat(width)} mend: ${fix}`
      return `${shown}  ${name.padEnd(width)} ${detail}${mend}\n`
    })
    .join('')
}
