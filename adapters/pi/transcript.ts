/** @module pi/transcript - Pi's own session file, read only to compare it with what the extension said. */
import { open } from 'node:fs/promises'
import type { SaidEntry } from './mapper.js'

/** How much of the file's end is read. */
const TAIL = 1024 * 1024

interface Entry {
  readonly id?: unknown
  readonly message?: { readonly content?: unknown }
}

/** What differs between the file and `entries`, in words; an entry before the tail is not judged. */
export async function differences(path: string, entries: readonly SaidEntry[]): Promise<string[]> {
  if (entries.length === 0) return []
  let tail: { text: string; whole: boolean }
  try {
    tail = await readTail(path)
  } catch (error) {
    return [`${path} cannot be read: ${String(error)}`]
  }
  const written = new Map<string, string>()
  for (const line of tail.text.split('\n')) {
    const entry = parse(line)
    if (typeof entry?.id === 'string') written.set(entry.id, textOf(entry.message?.content))
  }
  const found: string[] = []
  for (const { entryId, text } of entries) {
    const there = written.get(entryId)
    if (there === undefined && tail.whole) found.push(`${path} has no entry ${entryId}`)
    if (there !== undefined && there !== text)
      found.push(`entry ${entryId} has ${there.length} characters of text, the extension told ${text.length}`)
  }
  return found
}

async function readTail(path: string): Promise<{ text: string; whole: boolean }> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const length = Math.min(size, TAIL)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
    const text = buffer.toString('utf8', 0, bytesRead)
    const whole = length === size
    // The first line of a cut tail is a part of one.
    return { text: whole ? text : text.slice(text.indexOf('\n') + 1), whole }
  } finally {
    await file.close()
  }
}

function parse(line: string): Entry | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  return (content as { type?: unknown; text?: unknown }[])
    .flatMap((part) => (part?.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
    .join('')
}
