/** @module hub/front - the HTTP server itself: every request and upgrade goes through the gate and nowhere around it. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { errnoOf } from '../journal/private-files.js'
import { bounded } from '../protocol/bounded.js'
import { MeowError } from '../protocol/errors.js'
import { refusalOfUpgrade, refuse, SECURITY_HEADERS } from './answers.js'
import type { makeApp } from './app.js'
import { type Allow, type Deny, type GateConfig, gate } from './gate.js'
import type { StreamServer } from './stream/server.js'

/** What is behind the gate. */
export interface Behind {
  readonly app: ReturnType<typeof makeApp>
  readonly stream: StreamServer
  readonly gate: GateConfig
}

export interface Front {
  readonly port: number
  /** From here on requests are answered; until then the port is held and nobody is heard. */
  open(behind: Behind): void
  close(): Promise<void>
}

const MAX_CONNECTIONS = 1_000
export const LAST_ANSWERS_MS = 2_000
const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  503: 'Service Unavailable',
}

/** Takes the port on 127.0.0.1; `port_taken` when it is not to be had. */
export async function takePort(port: number): Promise<Front> {
  const server = createServer()
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    const failed = (cause: unknown): void =>
      reject(
        new MeowError('port_taken', `port ${port} of 127.0.0.1 is not to be had (${errnoOf(cause)})`, {
          cause,
          hint: 'Choose another: agent-meow up --port <n>, or AGENT_MEOW_PORT=<n>.',
        }),
      )
    server.once('error', failed)
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.off('error', failed)
      resolve()
    })
  })
  let answering = 0
  let closing = false

  return {
    port: (server.address() as AddressInfo).port,

    open({ app, stream, gate: config }) {
      const verdicts = new WeakMap<IncomingMessage, Allow>()
      const listener = getRequestListener(
        (web, env) => {
          const { incoming, outgoing } = env as HttpBindings
          const verdict = verdicts.get(incoming)
          if (verdict === undefined) throw new MeowError('internal', 'a request without a verdict')
          return app.fetch(web, { incoming, outgoing, verdict })
        },
        { overrideGlobalObjects: false },
      )
      server.on('request', (request, response) => {
        answering += 1
        response.once('close', () => {
          answering -= 1
          if (closing && answering === 0) server.closeAllConnections()
        })
        for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
        const verdict = judge(request, config, false)
        if (!verdict.allow) {
          refuse(response, verdict.status, errorOf(verdict))
          return
        }
        verdicts.set(request, verdict)
        void listener(request, response)
      })
      server.on('upgrade', (request, socket, head) => {
        socket.on('error', () => socket.destroy())
        const verdict = judge(request, config, true)
        if (!verdict.allow) {
          refuseUpgrade(socket, verdict.status, errorOf(verdict))
        } else if (!stream.accept(request, socket, head, verdict)) {
          refuseUpgrade(socket, 503, new MeowError('conflict', 'too many clients', { retryable: true }))
        }
      })
    },

    async close() {
      closing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      if (answering === 0) server.closeAllConnections()
      await bounded(closed, LAST_ANSWERS_MS, 'the last answers').catch(() => server.closeAllConnections())
      await closed
    },
  }
}

function judge(request: IncomingMessage, config: GateConfig, upgrade: boolean): Allow | Deny {
  const { method = '', url = '', headersDistinct: headers } = request
  return gate({ method, url, headers, upgrade }, config)
}

function errorOf(deny: Deny): MeowError {
  const hint = deny.code === 'unauthorized' ? { hint: 'Pair this browser: agent-meow up' } : {}
  return new MeowError(deny.code, deny.detail, hint)
}

function refuseUpgrade(socket: Duplex, status: number, error: MeowError): void {
  socket.end(refusalOfUpgrade(status, REASONS[status] ?? 'Refused', error), () => socket.destroy())
}
