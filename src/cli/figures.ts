/** @module cli/figures - numbers as a person reads them. */

/** `$0.0123`; four digits below a dollar, because one turn often costs less than a cent. */
export function money(usd: number | null): string {
  if (usd === null) return '-'
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`
}

/** `12s`, `5m`, `3h`, `2d`. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}

/** `1 turn`, `3 turns`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

/** `14:03:59`, in the person's time zone. */
export function clock(ts: number): string {
  const date = new Date(ts)
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
