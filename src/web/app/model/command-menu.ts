/** @module web/model/command-menu - the commands of a session as the menu lists them. */
import type { SessionCommand } from '../../../protocol/commands.js'

/** The name under which a text is typed as the vendor's own command. */
export const SLASH = 'slash'

/** Always the last of the list, and never the one that is chosen by itself. */
export const SLASH_COMMAND: SessionCommand = {
  name: SLASH,
  description: "Type it as the vendor's own command",
  argument: 'required',
  argumentHint: '/command',
  choices: null,
  whileRunning: true,
}

/** What the typed text asks for; null when it is no longer the start of a command's name. */
export function menuFilter(text: string): string | null {
  return /^\/[^\s/]*$/.test(text) ? text.slice(1).toLowerCase() : null
}

/** The commands whose name begins with the filter, then those that have it elsewhere in their name. */
export function matching(commands: readonly SessionCommand[], filter: string): SessionCommand[] {
  const named = commands.filter(({ name }) => name !== SLASH && name.toLowerCase().includes(filter))
  const first = named.filter(({ name }) => name.toLowerCase().startsWith(filter))
  return [...first, ...named.filter((command) => !first.includes(command))]
}
