/** @module web/model/ways - how a prompt is to arrive: the choices, in words, and what a key press makes of them. */
import { DeliveryMode } from '../../../protocol/events.js'

export const WAYS: readonly DeliveryMode[] = DeliveryMode.options

/** What the button says while a turn runs. */
export const WAY_LABELS: Readonly<Record<DeliveryMode, string>> = {
  queue: 'Queue',
  steer: 'Steer now',
  interrupt: 'Interrupt and send',
}

/** One word for a prompt that waits. */
export const WAY_WORDS: Readonly<Record<DeliveryMode, string>> = {
  queue: 'in turn',
  steer: 'steer',
  interrupt: 'interrupt',
}

/** The way of Alt+Enter: the other of queue and steer. */
export function otherWay(chosen: DeliveryMode): DeliveryMode {
  return chosen === 'queue' ? 'steer' : 'queue'
}

/** The way that is asked for. Without a turn there is nothing to steer or to stop, also when one begins meanwhile. */
export function wayToSend(chosen: DeliveryMode, turnRuns: boolean): DeliveryMode {
  return turnRuns ? chosen : 'queue'
}

export function isWay(value: unknown): value is DeliveryMode {
  return DeliveryMode.safeParse(value).success
}
