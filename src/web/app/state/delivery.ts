/** @module web/state/delivery - what a person does with a session's prompts, dialogs and commands. */
import {
  type AnswerResult,
  type CommandResult,
  type EditQueued,
  type RunCommand,
  Scope,
  type SessionCommand,
} from '../../../protocol/commands.js'
import type { DeliveryMode } from '../../../protocol/events.js'
import type { Delivery } from '../model/view.js'
import { asFault, hub } from '../net/http.js'
import type { AppState } from './app-state.js'
import { loadDropped, loadWays, withDropped, withWay } from './kept.js'
import type { Messages } from './messages.js'
import type { Store } from './store.js'

export class DeliveryControl {
  readonly #store: Store<AppState>
  readonly #messages: Messages
  readonly #refresh: (sessionId: string) => void

  /** @param refresh asks for what came since: a refusal showed that the page was behind */
  constructor(store: Store<AppState>, messages: Messages, refresh: (sessionId: string) => void) {
    this.#store = store
    this.#messages = messages
    this.#refresh = refresh
  }

  /** Brings back what this browser remembers. */
  load(): void {
    this.#store.set({ ways: loadWays(localStorage), dropped: loadDropped(localStorage) })
  }

  /** The hub told what this page may do; undefined: it does not tell. */
  allowed(scopes: readonly Scope[] | undefined): void {
    if (scopes === undefined) return
    this.#store.set({ denied: new Set(Scope.options.filter((scope) => !scopes.includes(scope))) })
  }

  chooseWay(sessionId: string, way: DeliveryMode): void {
    this.#store.setNow({ ways: withWay(localStorage, this.#store.get().ways, sessionId, way) })
  }

  async edit(sessionId: string, messageId: string, change: EditQueued): Promise<void> {
    await this.#checked(sessionId, () => hub.editQueued(sessionId, messageId, change))
  }

  async withdraw(sessionId: string, messageId: string): Promise<void> {
    await this.#checked(sessionId, () => hub.withdraw(sessionId, messageId))
  }

  /** A person decided that an undecided message is not needed any more. */
  async drop(sessionId: string, messageId: string): Promise<void> {
    try {
      await hub.withdraw(sessionId, messageId)
    } catch (thrown) {
      // A hub that has nothing left to take back has nothing against it.
      const { code } = asFault(thrown)
      if (code !== 'conflict' && code !== 'not_found') throw thrown
    }
    this.#dealtWith(messageId)
  }

  /** A person decided that an undecided message is sent once more. */
  async sendAgain(sessionId: string, lost: Delivery): Promise<void> {
    await this.#messages.again(sessionId, lost)
    this.#dealtWith(lost.messageId)
  }

  async answer(sessionId: string, approvalId: string, option: string): Promise<AnswerResult> {
    try {
      return await this.#checked(sessionId, () => hub.answer(sessionId, approvalId, option))
    } catch (thrown) {
      if (asFault(thrown).code === 'forbidden')
        this.#store.set({ denied: new Set(this.#store.get().denied).add('approve') })
      throw thrown
    }
  }

  commands(sessionId: string): Promise<SessionCommand[]> {
    return hub.commands(sessionId)
  }

  runCommand(sessionId: string, command: RunCommand): Promise<CommandResult> {
    return hub.runCommand(sessionId, command)
  }

  #dealtWith(messageId: string): void {
    this.#store.setNow({ dropped: withDropped(localStorage, this.#store.get().dropped, messageId) })
  }

  async #checked<T>(sessionId: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (thrown) {
      const { code } = asFault(thrown)
      if (code === 'conflict' || code === 'not_found') this.#refresh(sessionId)
      throw thrown
    }
  }
}
