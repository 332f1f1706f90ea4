/** @module test/recording/kit - what a driver must know of one vendor: its keys, its dialogs, how it draws things. */
import type { KeyName } from '../../src/terminal/index.js'
import type { VendorSetup } from '../support/homes/home.js'
import type { Stage } from './stage.js'
import type { CallStatus, Drawing, Shown, TurnStop } from './truth.js'

export type VendorId = 'claude' | 'pi' | 'codex' | 'opencode' | 'gemini' | 'qwen' | 'copilot'

/** How a situation wants the program to be started. */
export interface Wish {
  readonly permission: 'ask' | 'auto'
  readonly trusted: boolean
  readonly inline: boolean
}

/** A way to answer a dialog. */
export interface Answer {
  /** As the dialog words it. */
  readonly words: string
  give(stage: Stage): Promise<void>
}

export interface DialogKit {
  readonly question: string
  readonly options: readonly string[]
  /** Matches the screen while the dialog is open. */
  readonly open: RegExp
  readonly allow: Answer
  readonly deny: Answer
}

export interface SlashKit {
  readonly command: string
  /** How the command itself is drawn in the conversation; null when it leaves nothing. */
  readonly shown: Shown | null
  /** Matches the screen once it has worked. */
  readonly done: RegExp
  /** Closes what it has opened. */
  readonly close?: readonly KeyName[]
}

export interface Kit {
  readonly id: VendorId
  setup(root: string, modelUrl: string, wish: Wish): VendorSetup
  readonly drawing: Drawing
  /** The label of a folded thought; null where thoughts are drawn in full, or not at all. */
  readonly thought: RegExp | null
  /** The label as it stands where nothing else was folded into its line. */
  readonly thoughtAlone?: (label: string) => string
  /** Matches the screen while a turn runs; only its absence is used, beside the model's own word that it has ended. */
  readonly busy: RegExp
  /** What stands in the box for a paste of several lines; missing where it is the text. */
  readonly pasted?: RegExp
  /** Milliseconds between the lines of long answers, so that it draws each before it scrolls away. */
  readonly lineMs: number
  /** Puts the pasted prompt behind the running turn. */
  readonly queue: readonly KeyName[]
  /** Stops a turn. */
  interrupt(stage: Stage): Promise<void>
  /** Matches the screen once the turn is stopped. */
  readonly interrupted: { readonly text: RegExp; readonly tool: RegExp }
  readonly callAfterInterrupt: CallStatus
  /** Empties the box, where an interrupt puts the prompt back into it. */
  readonly emptyBox?: readonly KeyName[]
  readonly shellDialog: DialogKit | null
  readonly writeDialog: DialogKit | null
  /** What a denied call is, and how the turn ends by it; null when it goes on. */
  readonly denied: { readonly status: CallStatus; readonly stop: TurnStop | null }
  /** What a shell call with a bad exit code is; null where the program shows nobody that it failed. */
  readonly callAfterFailure: CallStatus | null
  readonly trust: DialogKit | null
  readonly fresh: SlashKit
  /** Makes the talk shorter; `says`: the line that it leaves, where that is no row of the command's own. */
  readonly compact?: SlashKit & { readonly says: string | null }
  /** Commands that the program answers by itself. */
  readonly locals?: readonly SlashKit[]
  /** Keys that show the conversation in another way, and back. */
  readonly views?: readonly KeyName[]
  readonly picker: SlashKit & { readonly question: string; readonly options: readonly string[] }
  /** The line that an API error of this status and message leaves. */
  errorLine(status: number, message: string): string
  /** Words of that line that no other row has. */
  errorWords(status: number, message: string): string
  /** Its own prompt box, a dialog and marks, as text of an answer. */
  readonly lookAlike: string
  /** It can leave the alternate screen. */
  readonly inline: boolean
  /** Situations that it cannot do, and why. */
  readonly cannot: Readonly<Record<string, string>>
}

/** The old talk is off the screen: every program's sign that it has begun a new one. */
export const NEW_TALK = /^(?![\s\S]*of the old talk)/

/** Answers by keys. */
export function press(words: string, ...keys: KeyName[]): Answer {
  return { words, give: (stage) => stage.keys(...keys) }
}

/** Answers by a character. */
export function typed(words: string, text: string): Answer {
  return { words, give: (stage) => stage.type(text) }
}

/** Answers by the digit that stands before an option now. */
export function digitOf(words: string, option: RegExp): Answer {
  return {
    words,
    give: async (stage) => {
      const digit = option.exec(stage.text())?.[1]
      if (digit === undefined) throw new Error(`no option ${option} on the screen`)
      await stage.type(digit)
    },
  }
}
