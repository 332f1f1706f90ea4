#!/usr/bin/env node
/**
 * The scripted model server as a program.
 *
 * @module model-server/main
 */

import { parseArgs } from 'node:util'
import { ModelServerError } from './errors.js'
import { type ModelServerOptions, startModelServer } from './server.js'

const HELP = `Usage: model-server [options]

A scripted model that speaks the Anthropic Messages, OpenAI chat-completions, OpenAI Responses and Gemini APIs
on a local port.

  --port N             port; a free one if not given
  --host HOST          address to listen on (127.0.0.1)
  --script FILE        JSON script
  --log FILE           append every answered request as a JSON line
  --persona NAME       demo or plain: who answers what nothing scripts (demo)
  --chunk-delay MS     milliseconds between chunks
  --chunk-size N       characters per chunk; words if not given
  --json               print the address as one JSON line
  --help               print this text
`

class UsageError extends Error {}

function wholeNumber(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text) || Number(text) > max) throw new UsageError(`--${name} wants a number up to ${max}`)
  return Number(text)
}

function readArguments(argv: string[]): { options: ModelServerOptions; json: boolean } | null {
  const { values } = parseArgs({
    args: argv,
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      script: { type: 'string' },
      log: { type: 'string' },
      persona: { type: 'string', default: 'demo' },
      'chunk-delay': { type: 'string' },
      'chunk-size': { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  if (values.persona !== 'demo' && values.persona !== 'plain') {
    throw new UsageError('--persona wants demo or plain')
  }
  const options: ModelServerOptions = {
    host: values.host,
    port: wholeNumber('port', values.port, 65_535),
    persona: values.persona,
    scriptFile: values.script,
    logFile: values.log,
    chunkDelayMs: wholeNumber('chunk-delay', values['chunk-delay'], 600_000),
    chunkSize: wholeNumber('chunk-size', values['chunk-size'], 1_000_000),
  }
  return { options, json: values.json }
}

async function main(argv: string[]): Promise<void> {
  const read = readArguments(argv)
  if (read === null) {
    process.stdout.write(HELP)
    return
  }
  const server = await startModelServer(read.options)
  const { url, port } = server
  process.stdout.write(
    read.json ? `${JSON.stringify({ url, port, pid: process.pid })}\n` : `Scripted model server: ${url}\n`,
  )
  const stop = (): void => void server.close()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

function report(error: unknown): void {
  const usage =
    error instanceof UsageError || (error instanceof Error && 'code' in error && isArgsCode(error.code))
  const text =
    error instanceof ModelServerError ? error.detail : error instanceof Error ? error.message : error
  process.stderr.write(`model-server: ${String(text)}\n${usage ? HELP : ''}`)
  process.exitCode = usage ? 2 : 1
}

function isArgsCode(code: unknown): boolean {
  return typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS')
}

main(process.argv.slice(2)).catch(report)
