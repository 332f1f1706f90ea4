/** @module hub/openapi - this API as OpenAPI 3.1, made from the very schemas that check it. */
import { z } from 'zod'
import { API, HubInfo, type Route, type RouteName, TerminalText, VendorInfo } from '../protocol/api.js'
import {
  AnswerResult,
  CommandResult,
  ErrorBody,
  ImageInput,
  InterruptResult,
  QueuedPrompt,
  Receipt,
  Scope,
  SessionCommand,
} from '../protocol/commands.js'
import { ERROR_CODES } from '../protocol/errors.js'
import {
  ApprovalOption,
  DeliveryMode,
  DurableEventSchema,
  EventSchema,
  Tokens,
  Usage,
} from '../protocol/events.js'
import { Item } from '../protocol/items.js'
import { Board, RecordingInfo, ScreenReading, SessionInfo } from '../protocol/session.js'
import { ClientFrame, ServerFrame } from '../protocol/stream.js'
import { bodyLimit } from './limits.js'

export type Json = { readonly [key: string]: unknown }
export interface OpenApi extends Json {
  readonly openapi: string
}

/** Schemas that are named once and referred to everywhere. */
const NAMED: Readonly<Record<string, z.ZodType>> = {
  AnswerResult,
  ApprovalOption,
  Board,
  ClientFrame,
  CommandResult,
  DeliveryMode,
  DurableEvent: DurableEventSchema,
  Error: ErrorBody,
  Event: EventSchema,
  HubInfo,
  ImageInput,
  InterruptResult,
  Item,
  QueuedPrompt,
  Receipt,
  RecordingInfo,
  Scope,
  ScreenReading,
  ServerFrame,
  SessionCommand,
  SessionInfo,
  TerminalText,
  Tokens,
  Usage,
  VendorInfo,
}

const STREAM = `A WebSocket. Text frames are JSON: \`ClientFrame\` to the hub, \`ServerFrame\` from it.
Binary frames from the hub are pieces of a terminal's record: channel (u32, big endian), offset of the first byte in
the record (u64, big endian), bytes. The first answer to \`session.subscribe\` is a \`session.snapshot\`; a long history
comes as several, each continuing the one before, and the last one carries the board. A client that does not keep up
gets a new snapshot in place of what it missed. The token goes into the header \`Authorization\`, or a paired browser
sends its cookie with a good Origin; a token in the query is never read.`

/** The document. The same version gives the same text. */
export function makeOpenApi(version: string): OpenApi {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id })
  const components: Record<string, unknown> = {}
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json =>
    lift(z.toJSONSchema(schema, { metadata: registry, io, unrepresentable: 'any' }), components)
  // Clients write their own frames, so defaults are optional there; everything else is read from the hub.
  for (const [id, schema] of Object.entries(NAMED)) {
    const whole = schemaOf(schema, id === 'ClientFrame' ? 'input' : 'output')
    components[id] ??= whole
  }

  const paths: Record<string, Record<string, unknown>> = {}
  for (const name of Object.keys(API) as RouteName[]) {
    const route: Route = API[name]
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route, schemaOf) }
  }
  paths['/v1/stream'] = { get: streamOperation() }
  const sorted = Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)))
  return {
    openapi: '3.1.0',
    info: {
      title: 'agent-meow',
      version,
      description: `The hub's API on loopback. Errors carry one of these codes:\n\n${codes()}`,
    },
    servers: [{ url: 'http://127.0.0.1:{port}', variables: { port: { default: '7717' } } }],
    security: [{ token: [] }, { browser: [] }],
    paths,
    components: {
      schemas: sorted,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token file of the state home.' },
        browser: { type: 'apiKey', in: 'cookie', name: 'meow_{port}', description: 'Set by POST /v1/pair.' },
        hook: {
          type: 'http',
          scheme: 'bearer',
          description: "The session's hook token: good for nothing else.",
        },
      },
    },
  }
}

type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => Json

function operation(name: RouteName, route: Route, schemaOf: SchemaOf): Json {
  const json = (schema: Json): Json => ({ 'application/json': { schema } })
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, param]) => ({
    name: param,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(route.query?.shape ?? {}).map(([param, schema]) => ({
    name: param,
    in: 'query',
    required: false,
    // Coerced from text, so the input side of the schema says nothing of use.
    schema: schemaOf(schema as z.ZodType, 'output'),
  }))
  const security =
    route.scope === 'none' ? { security: [] } : route.scope === 'hook' ? { security: [{ hook: [] }] } : {}
  const parameters = [...inPath, ...inQuery]
  return {
    operationId: name,
    summary: route.summary,
    'x-scope': route.scope,
    ...security,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            description: `${bodyLimit(name)} bytes at most.`,
            required: true,
            content: json(schemaOf(route.body, 'input')),
          },
        }),
    responses: {
      [route.status ?? 200]: {
        description: 'Done.',
        content: { [route.media ?? 'application/json']: { schema: schemaOf(route.response, 'output') } },
      },
      default: {
        description: 'An error.',
        content: json({ $ref: '#/components/schemas/Error' }),
      },
    },
  }
}

function streamOperation(): Json {
  return {
    operationId: 'stream',
    summary: 'Events, boards and terminals as they happen (WebSocket).',
    description: STREAM,
    'x-scope': 'view',
    'x-websocket': {
      send: { $ref: '#/components/schemas/ClientFrame' },
      receive: { $ref: '#/components/schemas/ServerFrame' },
      binary: 'channel u32 BE, offset u64 BE, bytes',
    },
    responses: { 101: { description: 'The stream is open.' }, 426: { description: 'Not a WebSocket.' } },
  }
}

function codes(): string {
  return Object.entries(ERROR_CODES)
    .map(([code, text]) => `- \`${code}\`: ${text}`)
    .join('\n')
}

/** Moves a schema's own definitions to the components and lets every reference point there. */
function lift(schema: object, components: Record<string, unknown>): Json {
  const { $defs, $schema: _dialect, ...rest } = schema as Record<string, unknown>
  for (const [id, definition] of Object.entries(($defs as Json | undefined) ?? {})) {
    components[id] ??= relinked(definition)
  }
  return relinked(rest) as Json
}

function relinked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relinked)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '$id' && key !== '$schema')
      .map(([key, inner]) => [
        key,
        key === '$ref' && typeof inner === 'string'
          ? inner.replace(/^#\/\$defs\//, '#/components/schemas/')
          : relinked(inner),
      ]),
  )
}
