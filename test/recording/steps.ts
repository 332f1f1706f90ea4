/** @module test/recording/steps - what the scripted model does, step by step. */
import type { Step } from '../../src/model-server/index.js'

/** Says a text, line by line. */
export function say(text: string): Step {
  const chunks = text.split(/(?<=\n)/)
  return { type: 'part', part: { type: 'text', text, chunks } }
}

/** Says a text in pieces of some characters, as models do. */
export function speak(text: string, characters = 12): Step {
  const all = Array.from(text)
  const chunks: string[] = []
  for (let at = 0; at < all.length; at += characters) chunks.push(all.slice(at, at + characters).join(''))
  return { type: 'part', part: { type: 'text', text, chunks } }
}

export function think(text: string): Step {
  return { type: 'part', part: { type: 'reasoning', text } }
}

/** Milliseconds between the chunks that follow. */
export function slow(delayMs: number): Step {
  return { type: 'part', part: { type: 'pace', delayMs } }
}

/** Nothing more is sent until the gate is released. */
export function gate(name: string): Step {
  return { type: 'part', part: { type: 'gate', name } }
}

export function shell(command: string): Step {
  return { type: 'tools', calls: [{ tool: 'shell', command }] }
}

export function read(path: string): Step {
  return { type: 'tools', calls: [{ tool: 'read', path }] }
}

export function edit(path: string, old: string, next: string): Step {
  return { type: 'tools', calls: [{ tool: 'edit', path, old, new: next }] }
}

export function write(path: string, content: string): Step {
  return { type: 'tools', calls: [{ tool: 'write', path, content }] }
}

/** Fails with an HTTP status, every time that it is asked. */
export function fail(status: number, message: string): Step {
  return { type: 'fail', part: { type: 'error', status, message }, times: null }
}
