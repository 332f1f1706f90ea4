/**
 * Errors that the scripted model server throws at the code that starts or scripts it.
 *
 * @module model-server/errors
 */

/** Every way in which starting, scripting or waiting on the server can fail. */
export const MODEL_SERVER_ERROR_CODES = {
  /** Another program listens on the wanted port. */
  port_in_use: 'port_in_use',
  /** The operating system refused the host or port (no permission, no such address). */
  listen_failed: 'listen_failed',
  /** The script file is missing, is no JSON, or does not have the documented shape. */
  bad_script_file: 'bad_script_file',
  /** A scenario given in code does not have the documented shape. */
  bad_script: 'bad_script',
  /** The request log file cannot be opened. */
  log_file_failed: 'log_file_failed',
  /** Nothing that the caller waited for happened within its bound. */
  wait_timeout: 'wait_timeout',
  /** The server was closed while the caller waited. */
  closed: 'closed',
} as const

/** One of {@link MODEL_SERVER_ERROR_CODES}. */
export type ModelServerErrorCode = keyof typeof MODEL_SERVER_ERROR_CODES

/** The one error class of this folder; `code` says what happened, `detail` says it to a person. */
export class ModelServerError extends Error {
  readonly code: ModelServerErrorCode
  readonly retryable: boolean
  readonly detail: string

  constructor(
    code: ModelServerErrorCode,
    detail: string,
    options: { retryable?: boolean; cause?: unknown } = {},
  ) {
    super(`${code}: ${detail}`, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ModelServerError'
    this.code = code
    this.retryable = options.retryable ?? false
    this.detail = detail
  }
}
