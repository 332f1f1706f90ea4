/** @module hub/client/call - one call of the API: path, body and answer checked by the route's own schemas. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { z } from 'zod'
import { API, type Route, type RouteName } from '../../protocol/api.js'
import { ErrorBody } from '../../protocol/commands.js'
import { ERROR_CODES, type ErrorCode, MeowError } from '../../protocol/errors.js'

type Routes = typeof API

/** What a route's answer is, once checked. */
export type Answer<N extends RouteName> = z.output<Routes[N]['response']>

export interface CallOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  /** The longest wait for the answer. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

const ANSWER_MS = 30_000
/** Bytes of a body that takes long enough to make for an idle connection to be closed meanwhile. */
const LARGE_BODY = 1024 * 1024

/** Calls a route. Errors of the hub come back as the {@link MeowError} that it told. */
export async function call<N extends RouteName>(
  address: { readonly url: string; readonly token: string },
  name: N,
  options: CallOptions = {},
): Promise<Answer<N>> {
  const route: Route = API[name]
  const path = route.path.replaceAll(/:(\w+)/g, (_, param: string) =>
    encodeURIComponent(options.params?.[param] ?? ''),
  )
  const url = new URL(path, address.url)
  for (const [key, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined) url.searchParams.set(key, String(value))
  }
  const { status, text } = await exchange(address, route.method, url, options)
  if (status >= 400) throw errorOf(status, parseJson(text))
  const value = route.media === undefined ? parseJson(text) : text
  const checked = route.response.safeParse(value)
  if (checked.success) return checked.data as Answer<N>
  throw new MeowError('internal', `the hub's answer to ${name} is not understood`, {
    hint: 'agent-meow down && agent-meow up',
  })
}

async function exchange(
  address: { readonly url: string; readonly token: string },
  method: string,
  url: URL,
  options: CallOptions,
): Promise<{ status: number; text: string }> {
  const { body, timeoutMs = ANSWER_MS, signal } = options
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  // What the hub closed meanwhile is seen before it is used again.
  if (bytes !== undefined && bytes.length > LARGE_BODY) await nextTurn()
  const limit = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method,
      redirect: 'error',
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      headers: {
        authorization: `Bearer ${address.token}`,
        ...(bytes === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(bytes === undefined ? {} : { body: bytes }),
    })
    return { status: response.status, text: await response.text() }
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason
    if (limit.aborted) {
      throw new MeowError('timeout', `the hub did not answer ${method} ${url.pathname} in ${timeoutMs} ms`, {
        cause,
      })
    }
    throw unreachable(address.url, cause)
  }
}

/** No hub listens there, or it went away in the middle. */
export function unreachable(url: string, cause?: unknown): MeowError {
  return new MeowError('hub_unreachable', `no hub answers at ${url}`, {
    cause,
    retryable: true,
    hint: 'agent-meow up',
  })
}

/** Text as JSON; undefined when it is none, which no schema takes. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error that an answer told. */
export function errorOf(status: number, value: unknown): MeowError {
  const parsed = ErrorBody.safeParse(value)
  if (!parsed.success) return new MeowError('internal', `the hub answered with status ${status}`)
  const { code, detail, retryable, hint } = parsed.data.error
  return new MeowError(isCode(code) ? code : 'internal', detail, {
    retryable,
    ...(hint === undefined ? {} : { hint }),
  })
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code)
}
