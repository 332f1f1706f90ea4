/**
 * @module Signal numbers and tmux's short names as the names that Node uses.
 */
import { constants } from 'node:os'

/** `9`, `KILL` or `SIGKILL` as `SIGKILL`; null for none. */
export const signalName = (raw: string | number | undefined): string | null => {
  if (raw === undefined || raw === '' || raw === 0) return null
  const number = Number(raw)
  if (Number.isNaN(number)) return String(raw).startsWith('SIG') ? String(raw) : `SIG${raw}`
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `SIG${number}`
}
