/**
 * @module adapters/claude/prompts - prompts as hook, queue and transcript name them, met with each other. Pure.
 *
 * A prompt that was typed has one id in hook and transcript. Those of the program's own queue that run together have
 * one id in the transcript and each its own in the hook (2.1.197): of them the transcript tells the item.
 */
import { createHash } from 'node:crypto'
import { imagesIn } from './composer.js'

/** Most prompts that wait for their record. */
const WAITING = 1000

/** A prompt as it was sent. */
export interface Said {
  readonly text: string
  readonly images: number
}

/** What we hand over with images has its text on the line below their marks: the marks are ours, not the person's. */
const OUR_IMAGES = /^(?:\[Image #\d+\] ?)+\n/u

export function saidOf(text: string): Said {
  const images = text.match(/\[Image #\d+\]/gu)?.length ?? 0
  if (!OUR_IMAGES.test(text)) return { text, images }
  return { text: text.replace(OUR_IMAGES, ''), images: imagesIn(text) }
}

/** Names the item of a prompt, the same whoever tells it first. */
export function promptKey(id: string, text: string): string {
  return `prompt:${id}:${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`
}

export class Prompts {
  /** Told by the hook as an item, by the hook's id. */
  private readonly told = new Map<string, string>()
  /** In the program's queue, with the number of the turn that ran when they were put there. */
  private readonly queue: { readonly text: string; readonly turn: number }[] = []
  /** Taken out of the queue by the hook's word; their record tells the item. */
  private readonly awaited: string[] = []

  get waitsForRecord(): boolean {
    return this.awaited.length > 0
  }

  get anyQueued(): boolean {
    return this.queue.length > 0
  }

  enqueued(text: string, turn: number): void {
    this.queue.push({ text, turn })
    if (this.queue.length > WAITING) this.queue.shift()
  }

  /** In which turn a queued prompt was put there; null for one that is not queued. */
  queuedIn(text: string): number | null {
    return this.queue.find((q) => same(q.text, text))?.turn ?? null
  }

  /** It is no longer in the queue; false when it was not. */
  leaves(text: string): boolean {
    const at = this.queue.findIndex((q) => same(q.text, text))
    if (at >= 0) this.queue.splice(at, 1)
    return at >= 0
  }

  await(text: string): void {
    this.awaited.push(text)
  }

  /** Its record has come. */
  arrived(text: string): void {
    const at = this.awaited.findIndex((a) => same(a, text))
    if (at >= 0) this.awaited.splice(at, 1)
    this.leaves(text)
  }

  /** No record will come for what is awaited. */
  giveUp(): void {
    this.awaited.length = 0
  }

  tell(id: string, text: string): void {
    if (!id) return
    this.told.set(id, text)
    if (this.told.size <= WAITING) return
    for (const oldest of this.told.keys()) {
      this.told.delete(oldest)
      return
    }
  }

  /** Whether the hook told this record's prompt; the match is used up. */
  meets(id: string, text: string): boolean {
    const known = this.told.get(id)
    const key = known !== undefined && same(known, text) ? id : this.otherId(text)
    return key !== null && this.told.delete(key)
  }

  /** The text that the hook told under this id, when the transcript has another: it is used up. */
  differs(id: string): string | null {
    const known = this.told.get(id)
    if (known === undefined) return null
    this.told.delete(id)
    return known
  }

  private otherId(text: string): string | null {
    for (const [id, told] of this.told) if (same(told, text)) return id
    return null
  }
}

/** Two sources mark images in their own ways. */
const same = (a: string, b: string) => squeeze(a) === squeeze(b)

const squeeze = (text: string) =>
  text
    .replace(/\[Image[^\]]*\]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
