/** @module hub/app - the routes of `API` on hono: scope, schemas in, schemas out, errors as {@link ErrorBody}. */
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { API, type Route, type RouteName } from '../protocol/api.js'
import { asMeowError, MeowError } from '../protocol/errors.js'
import { errorBody, statusOf } from './answers.js'
import { readJson } from './body.js'
import { checked } from './checked.js'
import type { Allow } from './gate.js'
import { bodyLimit, tooLarge } from './limits.js'
import type { Call, Handlers } from './routes.js'

export interface AppBindings extends HttpBindings {
  /** What the gate decided about this request. */
  readonly verdict: Allow
}

export interface AppOptions {
  readonly handlers: Handlers
  readonly setCookie: (value: string) => string
  /** A file of the page; null when there is none at that path. */
  readonly page: (path: string) => Response | null
  /** Told of faults of ours only. */
  readonly fault: (where: string, error: unknown) => void
  /** No route takes more; each has its own limit besides. */
  readonly bodyBytes?: number
}

type App = Hono<{ Bindings: AppBindings }>
type AppContext = Context<{ Bindings: AppBindings }>

export function makeApp(options: AppOptions): App {
  const app: App = new Hono<{ Bindings: AppBindings }>()
  for (const name of Object.keys(API) as RouteName[]) {
    const route: Route = API[name]
    app.on(route.method, route.path, async (c) => await answer(c, name, route, options))
  }
  app.notFound((c) => {
    const { kind, path } = c.env.verdict
    const file = kind === 'page' ? options.page(path) : null
    return file ?? failed(new MeowError('not_found', 'there is nothing at this path'))
  })
  app.onError((error, c) => {
    const known = asMeowError(error)
    if (known.code === 'internal') options.fault(`${c.req.method} ${c.env.verdict.kind}`, error)
    return failed(known)
  })
  return app
}

async function answer(c: AppContext, name: RouteName, route: Route, options: AppOptions): Promise<Response> {
  // Without a scope hono's types know of no parameters on a path that is only a string.
  const params = c.req.param() as Record<string, string>
  mustBeAllowed(c.env.verdict, route, params)
  let cookie: string | null = null
  const over = (detail: string): MeowError => tooLarge(name, detail)
  const cap = Math.min(bodyLimit(name), options.bodyBytes ?? Number.POSITIVE_INFINITY)
  const call = {
    params,
    query: route.query === undefined ? undefined : checked('query', route.query, c.req.query(), over),
    body:
      route.body === undefined
        ? undefined
        : checked('body', route.body, await readJson(c.req.raw, cap, over), over),
    scopes: c.env.verdict.scopes,
    caller: c.env.verdict.caller,
    signal: c.req.raw.signal,
    setCookie: (value: string) => {
      cookie = options.setCookie(value)
    },
  }
  // Each handler takes the call of its own route, which the schemas of that very route have just made.
  const handler = options.handlers[name] as (call: unknown) => unknown
  const result = await handler(call satisfies Omit<Call<RouteName>, 'query' | 'body'>)
  const fits = route.response.safeParse(result)
  if (!fits.success) {
    const where = fits.error.issues.map((issue) => issue.path.join('.') || '(root)').join(', ')
    throw new MeowError('internal', `the answer of ${name} does not fit its schema at ${where}`)
  }
  const type = route.media === undefined ? 'application/json' : `${route.media}; charset=utf-8`
  const headers = new Headers({ 'content-type': type, 'cache-control': 'no-store' })
  if (cookie !== null) headers.set('set-cookie', cookie)
  const text = route.media === undefined ? JSON.stringify(fits.data ?? {}) : String(fits.data)
  return new Response(text, { status: route.status ?? 200, headers })
}

/** The gate let the request in; this says whether it may do what this route does. */
function mustBeAllowed(verdict: Allow, route: Route, params: Readonly<Record<string, string>>): void {
  const allowed =
    route.scope === 'none'
      ? verdict.kind === 'pair'
      : route.scope === 'hook'
        ? verdict.kind === 'hook' && verdict.hookSession !== null && verdict.hookSession === params.id
        : verdict.kind === 'api' && verdict.scopes.has(route.scope)
  if (!allowed) throw new MeowError('forbidden', `this needs the scope ${route.scope}`)
}

function failed(error: MeowError): Response {
  return new Response(JSON.stringify(errorBody(error)), {
    status: statusOf(error),
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })
}
