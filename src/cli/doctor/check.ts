/** @module cli/doctor/check - one line of the doctor's report. */

export interface Check {
  readonly name: string
  /** `missing`: nothing works without it; `warn`: works, or cannot be told; `ok`. */
  readonly status: 'ok' | 'warn' | 'missing'
  readonly detail: string
  /** The one command or sentence that mends it. */
  readonly fix: string | null
}

export const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail, fix: null })
export const warn = (name: string, detail: string, fix: string | null): Check => ({
  name,
  status: 'warn',
  detail,
  fix,
})
export const missing = (name: string, detail: string, fix: string): Check => ({
  name,
  status: 'missing',
  detail,
  fix,
})
