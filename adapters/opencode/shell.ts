/** @module opencode/shell - whether a command's lines are all of it: quotes and here-documents may hold blank lines. Pure. */

const HEREDOC = /^<<-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([^\s;&|<>()'"]+))/u

/** Whether no quote and no here-document is open at the end. */
export function isWhole(command: string): boolean {
  let quote = ''
  let ends: { word: string; dash: boolean }[] = []
  for (let at = 0; at < command.length; at += 1) {
    const char = command[at] ?? ''
    if (char === '\\' && quote !== "'") at += 1
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === "'" || char === '"') quote = char
    else if (char === '<' && command[at + 1] === '<') {
      // `<<<` takes a word, not lines.
      const found = command[at + 2] === '<' ? null : HEREDOC.exec(command.slice(at))
      const word = found?.[1] ?? found?.[2] ?? found?.[3]
      if (found && word !== undefined) ends.push({ word, dash: command[at + 2] === '-' })
      at += (found?.[0].length ?? 3) - 1
    } else if (char === '\n' && ends.length > 0) {
      const end = behindDocuments(command, at + 1, ends)
      if (end === null) return false
      at = end - 1
      ends = []
    }
  }
  return quote === '' && ends.length === 0
}

/** Where the text goes on behind these here-documents; null when one of them has no end. */
function behindDocuments(
  command: string,
  from: number,
  ends: readonly { word: string; dash: boolean }[],
): number | null {
  let at = from
  for (const { word, dash } of ends) {
    for (;;) {
      if (at > command.length) return null
      const stop = command.indexOf('\n', at)
      const end = stop < 0 ? command.length : stop
      const line = command.slice(at, end)
      at = end + 1
      if ((dash ? line.trimStart() : line) === word) break
    }
  }
  return at - 1
}
