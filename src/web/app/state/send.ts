/** @module web/state/send - sends one message; tries again with the same id as long as no answer comes. */
import type { Receipt } from '../../../protocol/commands.js'
import { backoff } from '../model/backoff.js'
import { asFault } from '../net/http.js'

export interface SendPorts {
  post(): Promise<Receipt>
  wait(ms: number): Promise<void>
  random(): number
  /** The events already tell of the message: no further attempt is needed. */
  arrived(): boolean
}

const ATTEMPTS = 5
const RETRY = { firstMs: 300, maxMs: 4000 }

/** The hub's receipt, or null when the events told of the message first. A refusal is thrown at once. */
export async function sendMessage(ports: SendPorts): Promise<Receipt | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ports.post()
    } catch (thrown) {
      const fault = asFault(thrown)
      if (ports.arrived()) return null
      if (fault.code !== 'network' || attempt === ATTEMPTS) throw fault
      await ports.wait(backoff(attempt, ports.random(), RETRY))
      if (ports.arrived()) return null
    }
  }
}

/** A random UUID; `crypto.randomUUID` needs a secure context, which a plain address of a network is not. */
export function newMessageId(random: Crypto): string {
  if (typeof random.randomUUID === 'function') return random.randomUUID()
  const bytes = random.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
