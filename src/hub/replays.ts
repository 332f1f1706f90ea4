/** @module hub/replays - replays on threads of their own, one at a time: no recording can hold the hub up. */
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { asMeowError, ERROR_CODES, type ErrorCode, MeowError } from '../protocol/errors.js'
import { type Known, REPLAY_LIMITS, type ReplayJob, replayText } from './replay-job.js'

/** Reads a recording back as JSON lines (see {@link replayText}); the signal ends it early. */
export type ReplayRecording = (job: ReplayJob, signal: AbortSignal) => Promise<string>

export interface ReplayThreads {
  /** The program of a thread; it calls {@link answerReplay}. */
  readonly entry: string | URL
  /** Longest life of a thread: the replay's own bound, and time to start and to end. */
  readonly ms?: number
  /** Memory of a thread. */
  readonly heapMb?: number
  /** Requests that may wait for their turn. */
  readonly waiting?: number
}

interface Answer {
  readonly text?: string
  readonly error?: { readonly code: ErrorCode; readonly detail: string; readonly hint?: string }
}

const THREAD_MS = REPLAY_LIMITS.ms + 30_000
/** A recording of the greatest length as text, as events, and as a conversation. */
const HEAP_MB = 1024
const WAITING = 8

/**
 * Errors: those of {@link replayText}; `conflict` (retryable) when too many wait; `timeout` for a thread that does not
 * end; `internal` for one that died.
 */
export function replayThreads(options: ReplayThreads): ReplayRecording {
  const { waiting = WAITING } = options
  let queued = 0
  let last: Promise<unknown> = Promise.resolve()
  return async (job, signal) => {
    if (queued > waiting) {
      throw new MeowError('conflict', 'many recordings are being read back already', {
        retryable: true,
        hint: 'try again in a minute',
      })
    }
    queued += 1
    const ended = () => {
      queued -= 1
    }
    const mine = last.then(async () => {
      signal.throwIfAborted()
      return await inThread(job, signal, options)
    })
    last = mine.then(ended, ended)
    return await mine
  }
}

async function inThread(job: ReplayJob, signal: AbortSignal, options: ReplayThreads): Promise<string> {
  const { entry, ms = THREAD_MS, heapMb = HEAP_MB } = options
  const thread = new Worker(entry, {
    workerData: job,
    argv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  })
  let unwanted = (): void => undefined
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<string>((resolve, reject) => {
      thread.once('message', (answer: Answer) => {
        if (answer.text !== undefined) resolve(answer.text)
        else reject(errorOf(answer))
      })
      thread.once('error', (cause) => {
        const detail = `recording ${job.name} could not be read back: ${cause.message}`
        reject(new MeowError('internal', detail, { cause }))
      })
      thread.once('exit', () => {
        reject(new MeowError('internal', `recording ${job.name} could not be read back: its thread ended`))
      })
      unwanted = () => reject(signal.reason)
      signal.addEventListener('abort', unwanted)
      const late = new MeowError('timeout', `recording ${job.name} was not read back in ${ms} ms`)
      timer = setTimeout(() => reject(late), ms)
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', unwanted)
    await thread.terminate()
  }
}

function errorOf({ error }: Answer): MeowError {
  const { code, detail, hint } = error ?? { code: 'internal', detail: 'an empty answer', hint: undefined }
  const known = Object.hasOwn(ERROR_CODES, code) ? code : 'internal'
  return new MeowError(known, detail, hint === undefined ? {} : { hint })
}

/** The whole life of a thread: one job, one answer. Only good in a thread of {@link replayThreads}. */
export async function answerReplay(known: Known): Promise<void> {
  const answer: Answer = await replayText(workerData as ReplayJob, known).then(
    (text) => ({ text }),
    (thrown: unknown) => ({ error: asMeowError(thrown).toJSON() }),
  )
  parentPort?.postMessage(answer)
}
