/** @module cli/commands - every command, in the order of the help. */
import { type Offline, openOffline } from '../../hub/offline.js'
import type { CommandSpec } from '../command.js'
import { answer } from './answer.js'
import { attach } from './attach.js'
import { demo } from './demo.js'
import { doctor } from './doctor.js'
import { down } from './down.js'
import { events } from './events.js'
import { explain } from './explain.js'
import { fixture } from './fixture.js'
import { interrupt } from './interrupt.js'
import { kill } from './kill.js'
import { ls } from './ls.js'
import { queue } from './queue.js'
import { record } from './record.js'
import { replay } from './replay.js'
import { run, shorthand } from './run.js'
import { send } from './send.js'
import { sessionCommand } from './session-command.js'
import { up } from './up.js'

/** All commands, with one more for each vendor's own word. `offline`: what reads recordings. */
export function allCommands(
  vendors: readonly { id: string; name: string }[],
  offline: Offline = openOffline({ readers: [], adapters: [] }),
): CommandSpec[] {
  const recordings = [record, replay(offline), explain(offline), fixture(offline)]
  const talk = [send, queue, answer, sessionCommand, events, interrupt]
  const own = [run, attach, ls, ...talk, ...recordings, kill, up, down, doctor, demo]
  const taken = new Set(own.map(({ name }) => name))
  return [...own, ...vendors.filter(({ id }) => !taken.has(id)).map(shorthand)]
}
