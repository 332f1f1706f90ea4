/**
 * How the model behaves when nothing scripts it.
 *
 * `demo` is what a person meets in `agent-meow demo`: it says plainly that it is scripted, answers
 * whatever is typed, and does a fitting tool call when the prompt asks for something that a tool does.
 * `plain` repeats the prompt in one line and calls nothing, which is what most tests want.
 *
 * @module model-server/persona
 */

import { turnState } from './conversation.js'
import type { Step } from './directive.js'
import type { ToolIntent } from './reply.js'
import type { ModelRequest } from './request.js'

/** Decides the steps for a prompt; called again, with the same prompt, for every request of its loop. */
export type Persona = (request: ModelRequest) => Step[]

/** A persona by name or in code. */
export type PersonaChoice = 'demo' | 'plain' | Persona

const say = (text: string): Step => ({ type: 'part', part: { type: 'text', text } })
const think = (text: string): Step => ({ type: 'part', part: { type: 'reasoning', text } })
const call = (intent: ToolIntent): Step => ({ type: 'tools', calls: [intent] })

const NAME = '[\\w./-]*[\\w-]\\.\\w+'
const NOT_A_COMMAND = /^(?:the|a|an|all|my|your|some|this|that|it|tests?|code|app|program|script)\b/i

/** Ends a loop: what came back, and that nothing more will be done. */
const DONE: Step[] = [{ type: 'summary' }, say('\nThat is all: the script for this prompt is done.\n')]

interface Action {
  why: string
  steps: Step[]
}

function shellAction(prompt: string): Action | null {
  const quoted = /\b(?:run|execute)\b[^`\n]*`([^`\n]+)`/i.exec(prompt)?.[1]
  const bare = /^\s*(?:please\s+)?(?:run|execute)\s+([^`\n]+)$/im.exec(prompt)?.[1]?.trim()
  const command = quoted ?? (bare !== undefined && !NOT_A_COMMAND.test(bare) ? bare : undefined)
  if (command !== undefined) {
    return {
      why: `The user wants the command \`${command}\` to run.`,
      steps: [say(`I will run \`${command}\`.`), call({ tool: 'shell', command }), ...DONE],
    }
  }
  if (!/\b(?:list|show|what|which)\b[^.\n]{0,30}\b(?:files?|folder|directory)\b|^\s*ls\b/i.test(prompt))
    return null
  return {
    why: 'The user wants to know which files are here. `ls -la` answers that.',
    steps: [say('I will look at the folder.'), call({ tool: 'shell', command: 'ls -la' }), ...DONE],
  }
}

function editAction(prompt: string): Action | null {
  const pattern = new RegExp(
    `\\b(?:replace|change|edit)\\b[^"'\`]*["'\`]([^"'\`\\n]+)["'\`]\\s+(?:with|by|to|into)\\s+["'\`]([^"'\`\\n]*)["'\`]\\s+in\\s+[\`"']?(${NAME})`,
    'i',
  )
  const [, old, replacement, path] = pattern.exec(prompt) ?? []
  if (old === undefined || replacement === undefined || path === undefined) return null
  return {
    why: `The user wants a change in ${path}. I read it first, then edit it.`,
    steps: [
      say(`I will read \`${path}\` and then change it.`),
      call({ tool: 'read', path }),
      call({ tool: 'edit', path, old, new: replacement }),
      ...DONE,
    ],
  }
}

function writeAction(prompt: string): Action | null {
  const named = new RegExp(`\\b(?:write|create|make)\\b[^\\n]{0,40}?[\\s\`"'](${NAME})`, 'i').exec(
    prompt,
  )?.[1]
  const unnamed = /\b(?:write|create|make)\s+(?:me\s+)?an?\s+(?:\w+\s+)?file\b/i.test(prompt)
  const path = named ?? (unnamed ? 'meow.txt' : undefined)
  if (path === undefined) return null
  const quoted = /\b(?:with|containing|saying|that says)\b[^"'`\n]*["'`]([^"'`]+)["'`]/i.exec(prompt)?.[1]
  const content = `${quoted ?? 'Purr. The scripted model wrote this file.'}\n`
  return {
    why: `The user wants the file ${path}.`,
    steps: [say(`I will write \`${path}\`.`), call({ tool: 'write', path, content }), ...DONE],
  }
}

function readAction(prompt: string): Action | null {
  const path = new RegExp(`\\b(?:read|show|open|cat|print)\\b[^\\n]{0,30}?[\\s\`"'](${NAME})`, 'i').exec(
    prompt,
  )?.[1]
  if (path === undefined) return null
  return {
    why: `The user wants to see ${path}.`,
    steps: [say(`I will read \`${path}\`.`), call({ tool: 'read', path }), ...DONE],
  }
}

const SAMPLE = `## A sample

Some **bold** words, some \`code\`, and a list:

1. first
2. second

| animal | says |
|---|---|
| cat | meow |
| dog | woof |

\`\`\`ts
export const greeting = (name: string): string => \`Meow, \${name}!\`
\`\`\`

> That is all the markdown I know.
`

function sampleAction(prompt: string): Action | null {
  if (!/\bmarkdown\b|\b(?:a|some|sample)\s+(?:table|code)\b/i.test(prompt)) return null
  return { why: 'The user wants to see markdown.', steps: [say(SAMPLE)] }
}

function greeting(prompt: string): string {
  const heard = prompt.replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim()
  const echo = heard.length > 160 ? `${heard.slice(0, 160)}…` : heard
  return `You said: ${echo === '' ? '(nothing)' : `“${echo}”`}

I am a **scripted model** that comes with agent-meow: no network, no key, no cost. I do not understand what you write, but everything around me is real: the terminal program, its tools, and the mirror of this conversation.

Things to try:

- \`list files\` or \`run date\` calls the shell
- \`write notes.txt\` creates a file, \`read notes.txt\` shows it
- \`show markdown\` prints a table and some code
- \`MEOW: think Hm.;; bash date;; text That is the time.\` scripts me word by word
`
}

const ACTIONS = [editAction, shellAction, writeAction, readAction, sampleAction]

/** The persona of `agent-meow demo`. */
export const demoPersona: Persona = (request) => {
  const { prompt, results } = turnState(request.items)
  const action = ACTIONS.map((find) => find(prompt)).find((found) => found !== null) ?? {
    why: `The user wrote ${prompt.split(/\s+/).length} words. Nothing in them asks for a tool, so I just answer.`,
    steps: [say(greeting(prompt))],
  }
  const reasoning = request.reasoning && results.length === 0 ? [think(action.why)] : []
  return [...reasoning, ...action.steps]
}

/** Repeats the prompt, or says how many results came. */
export const plainPersona: Persona = (request) => {
  const { prompt, results } = turnState(request.items)
  return [say(results.length === 0 ? `You said: ${prompt}` : `Received ${results.length} tool results.`)]
}

/** The pace at which the demo speaks when nobody asks for another. */
const DEMO_PACE: Step = { type: 'part', part: { type: 'pace', delayMs: 30 } }

/** The persona behind a choice. */
export function personaOf(choice: PersonaChoice, chunkDelayMs: number | undefined): Persona {
  if (choice === 'plain') return plainPersona
  if (choice !== 'demo') return choice
  return chunkDelayMs === undefined ? (request) => [DEMO_PACE, ...demoPersona(request)] : demoPersona
}
