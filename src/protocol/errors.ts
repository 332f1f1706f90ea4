/** @module protocol/errors - the one error class and its documented codes. */

/**
 * Every error code that leaves a room. `retryable` says whether the same call may succeed later unchanged.
 * The text beside a code says what a person should understand by it.
 */
export const ERROR_CODES = {
  invalid_argument: 'A value in the call is not acceptable; the detail names it.',
  not_found: 'There is no such session, message or route.',
  unauthorized: 'No token, or a wrong one.',
  forbidden:
    'The token is good but the request comes from a Host or Origin that is not ours, or lacks the scope.',
  conflict: 'The call does not fit the present state (the session has ended, the name is taken).',
  too_large: 'The text or body is over its documented limit.',
  unsupported: 'This vendor or backend has no such action.',
  tmux_missing: 'tmux is not installed or too old.',
  tmux_failed: 'tmux refused a command.',
  terminal_start_failed: 'The program could not be started in its terminal.',
  terminal_gone: 'The program in the terminal has ended.',
  vendor_missing: "The vendor's program is not installed.",
  vendor_unknown: 'No adapter has that name.',
  vendor_auth_missing: 'The vendor program has no login, key or token.',
  vendor_start_failed: "The vendor's program ended or never became ready.",
  blocked: 'A dialog is open in the terminal; text is never typed into one.',
  draft_present: 'A person has unsent text in the prompt box.',
  delivery_failed: 'The message was typed but its acceptance was not seen.',
  port_taken: 'Another program listens on the port.',
  state_unwritable: 'The state folder cannot be written.',
  hub_unreachable: 'The hub does not answer.',
  timeout: 'A bounded wait ended; the detail says what it waited for.',
  internal: 'A fault of ours.',
} as const

export type ErrorCode = keyof typeof ERROR_CODES

export interface MeowErrorOptions {
  cause?: unknown
  /** The same call may succeed later, unchanged. */
  retryable?: boolean
  /** What to do about it: one command or one sentence. */
  hint?: string
}

/** An error with a code from {@link ERROR_CODES}; `detail` is for people, `code` for programs. */
export class MeowError extends Error {
  readonly code: ErrorCode
  readonly detail: string
  readonly retryable: boolean
  readonly hint: string | undefined

  constructor(code: ErrorCode, detail: string, options: MeowErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'MeowError'
    this.code = code
    this.detail = detail
    this.retryable = options.retryable ?? false
    this.hint = options.hint
  }

  /** The shape that the API and `--json` print. */
  toJSON(): { code: ErrorCode; detail: string; retryable: boolean; hint?: string } {
    const base = { code: this.code, detail: this.detail, retryable: this.retryable }
    return this.hint === undefined ? base : { ...base, hint: this.hint }
  }
}

/** Any thrown value as a {@link MeowError}; unknown ones become `internal` and keep their cause. */
export function asMeowError(value: unknown): MeowError {
  if (value instanceof MeowError) return value
  const detail = value instanceof Error ? value.message : String(value)
  return new MeowError('internal', detail, { cause: value })
}
