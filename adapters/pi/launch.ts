/** @module pi/launch - how Pi is started with the bridge's extension in it. Pure. */
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LaunchPlan, LaunchRequest } from '../../src/adapter/index.js'
import { MeowError } from '../../src/protocol/errors.js'

/** Names in the plan's facts. */
export const FACTS = { socket: 'socket', token: 'token' } as const

/** Longest path of a unix socket that every system takes (macOS: 104 bytes with the closing zero). */
const MAX_SOCKET_PATH = 103

/** The extension beside this file: compiled when this is compiled, TypeScript when it runs from source. */
export const EXTENSION = fileURLToPath(
  new URL(`./extension${extname(fileURLToPath(import.meta.url))}`, import.meta.url),
)

export function launch(request: LaunchRequest): LaunchPlan {
  const id = request.uuid().replaceAll('-', '')
  const socket = join(request.socketDir, `pi-${id.slice(0, 12)}.sock`)
  if (Buffer.byteLength(socket) > MAX_SOCKET_PATH)
    throw new MeowError('invalid_argument', `the socket path is too long for this system: ${socket}`, {
      hint: 'Use a state folder with a shorter path.',
    })
  const token = `${request.uuid()}${request.uuid()}`.replaceAll('-', '')
  const model = request.model === null ? [] : ['--model', request.model]
  return {
    argv: [request.binary, '-e', EXTENSION, ...model, ...request.args],
    env: { ...request.env, AGENT_MEOW_PI_SOCKET: socket, AGENT_MEOW_PI_TOKEN: token },
    files: [],
    vendorSessionId: null,
    facts: { [FACTS.socket]: socket, [FACTS.token]: token },
  }
}
