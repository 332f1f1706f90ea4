/** @module web/model/format - numbers and times for people. */
import type { Tokens } from '../../../protocol/events.js'

/** Dollars with as many places as the amount needs. */
export function formatUsd(usd: number): string {
  if (usd === 0) return '$0.00'
  if (usd < 0.0001) return '< $0.0001'
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`
}

/** Every token that was read or written. */
export function tokenCount(tokens: Tokens): number {
  return tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite
}

/** A price, or that there is none to tell. */
export function formatCost(tokens: Tokens, usd: number | null): string {
  if (usd !== null) return formatUsd(usd)
  return tokenCount(tokens) === 0 ? 'no usage yet' : 'price unknown'
}

/** 950, 1.2k, 34k, 1.5M. */
export function formatCount(n: number): string {
  if (n < 1000) return String(n)
  const [value, unit] = n < 999_500 ? [n / 1000, 'k'] : [n / 1_000_000, 'M']
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}${unit}`
}

/** All kinds of tokens, for a tooltip. */
export function describeTokens(tokens: Tokens): string {
  const parts = [
    `${tokens.input} input`,
    `${tokens.cacheRead} read from cache`,
    `${tokens.cacheWrite} written to cache`,
    `${tokens.output} output`,
  ]
  if (tokens.reasoning !== undefined) parts.push(`${tokens.reasoning} of them reasoning`)
  return parts.join(', ')
}

/** 340 ms, 4.2 s, 1 min 5 s, 2 h 3 min. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A place in a recording: 0:07, 12:40, 1:02:03. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (n: number) => String(n).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** A date and a time of day, as the browser's language writes them; the year where it is another one than now. */
export function formatDate(ms: number, now = Date.now()): string {
  const date = new Date(ms)
  const other = date.getFullYear() !== new Date(now).getFullYear()
  return date.toLocaleString(undefined, {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(other ? { year: 'numeric' } : {}),
  })
}

/** now, 5 min, 3 h, 2 d. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? `${hours} h` : `${Math.floor(hours / 24)} d`
}

/** The last two parts of a path; the whole is in the tooltip. */
export function shortPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.length <= 2 ? path : `…/${parts.slice(-2).join('/')}`
}
