/**
 * Scripts in code and in files, side requests and personas.
 *
 * @module test/unit/model-server-scenarios
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ModelServer, type ModelServerOptions, startModelServer } from '../../src/model-server/index.js'
import { agentLoop, anthropicBody, at, openaiBody, post, stream, textOf } from './model-server-client.js'

let server: ModelServer | null = null
let folder = ''

async function start(options: ModelServerOptions = {}): Promise<ModelServer> {
  server = await startModelServer({ persona: 'plain', ...options })
  return server
}

async function ask(made: ModelServer, prompt: string, more: Record<string, unknown> = {}): Promise<string> {
  return textOf(await stream(made, 'anthropic', anthropicBody(prompt, more)))
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'model-server-'))
})

afterEach(async () => {
  await server?.close()
  server = null
  rmSync(folder, { recursive: true, force: true })
})

describe('a script in code', () => {
  it('answers its scenarios in order, each as often as it says, then leaves the rest', async () => {
    const made = await start()
    made.script([
      { reply: 'one' },
      { reply: { parts: [{ type: 'error', status: 500 }] }, times: 2 },
      { when: { text: 'special' }, reply: 'for you', times: 0 },
      { reply: 'two' },
    ])
    expect(await ask(made, 'special')).toBe('one')
    for (let n = 0; n < 2; n += 1) {
      expect((await post(made, '/v1/messages', anthropicBody('MEOW: text no'))).status).toBe(500)
    }
    expect(await ask(made, 'a special wish')).toBe('for you')
    expect(await ask(made, 'b')).toBe('two')
    expect(await ask(made, 'special')).toBe('for you')
    expect(await ask(made, 'MEOW: text by directive')).toBe('by directive')
    expect(await ask(made, 'c')).toBe('You said: c')
    made.script(null)
    expect(await ask(made, 'special')).toBe('You said: special')
  })

  it('runs steps over the whole loop of the prompts that match', async () => {
    const made = await start()
    made.script([{ when: { pattern: '^fix' }, steps: 'bash a;; bash b;; text fixed' }])
    for (let n = 0; n < 2; n += 1) {
      const loop = await agentLoop(made, 'fix it')
      expect(loop.calls.map(({ input }) => at(input, 'command'))).toEqual(['a', 'b'])
      expect(loop.texts).toEqual(['fixed'])
    }
    expect(await ask(made, 'do not fix')).toBe('You said: do not fix')
  })

  it('may be a function, which sees results and may pass', async () => {
    const made = await start()
    made.script(({ prompt, results, turn }) => {
      if (prompt !== 'go') return undefined
      if (results.length < 2)
        return { parts: [{ type: 'tool', call: { tool: 'shell', command: `n${turn}` } }] }
      return { parts: [{ type: 'text', text: results.map(({ text }) => text).join('+') }] }
    })
    const loop = await agentLoop(made, 'go')
    expect(loop.calls.map(({ input }) => at(input, 'command'))).toEqual(['n1', 'n2'])
    expect(loop.texts).toEqual(['result of Bash+result of Bash'])
    expect(await ask(made, 'stay')).toBe('You said: stay')
  })

  it('shows its own failure to the client', async () => {
    const made = await start()
    made.script(() => {
      throw new Error('my mistake')
    })
    const response = await post(made, '/v1/messages', anthropicBody('x'))
    expect(response.status).toBe(500)
    expect(at(await response.json(), 'error.message')).toContain('my mistake')
    expect(made.requests[0]?.response.finished).toBe('error')
  })

  it('is refused when it is malformed', async () => {
    const made = await start()
    expect(() => made.script([{ steps: 'jump' }])).toThrow(/do not know the step 'jump'/)
    expect(() => made.script([{ reply: 'a', steps: 'text b' }])).toThrow(/either "reply" or "steps"/)
  })
})

describe('a script file', () => {
  function file(content: unknown): string {
    const path = join(folder, 'script.json')
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }

  it('answers before directives and after code', async () => {
    const scriptFile = file({
      version: 1,
      scenarios: [{ when: { text: 'fix' }, steps: 'text from the file' }, { reply: { parts: [] } }],
    })
    const made = await start({ scriptFile })
    made.script([{ reply: 'from code' }])
    expect(await ask(made, 'fix')).toBe('from code')
    expect(await ask(made, 'fix')).toBe('from the file')
    expect(await ask(made, 'MEOW: text x')).toBe('')
    expect(await ask(made, 'MEOW: text x')).toBe('x')
  })

  it.each([
    ['{', /is no JSON/],
    [{ version: 2, scenarios: [] }, /version/],
    [{ version: 1, scenarios: [{ repy: 'x' }] }, /repy/],
    [{ version: 1, scenarios: [{ steps: 'text a;; jump' }] }, /jump[\s\S]*scenarios\[0\]\.steps/],
    [{ version: 1, scenarios: [{ reply: { parts: [{ type: 'error', status: 200 }] } }] }, /scenarios\[0\]/],
    [{ version: 1, scenarios: [{ when: { pattern: '(' }, reply: 'x' }] }, /no regular expression/],
  ])('says what is wrong with %j', async (content, problem) => {
    const scriptFile = file(content)
    const failure = await startModelServer({ scriptFile }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'bad_script_file', detail: expect.stringMatching(problem) })
    expect(failure).toMatchObject({ detail: expect.stringContaining(scriptFile) })
  })

  it('says that it is missing', async () => {
    const failure = await startModelServer({ scriptFile: join(folder, 'none') }).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ code: 'bad_script_file', detail: expect.stringContaining('ENOENT') })
  })
})

describe('side requests', () => {
  const schema = (properties: Record<string, unknown>) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
  })

  it('answers a title request with its JSON and uses up no script', async () => {
    const made = await start()
    made.script([{ reply: 'the turn' }])
    const format = { type: 'json_schema', schema: schema({ title: { type: 'string' } }) }
    const prompt = 'MEOW: text Hello big world;; bash ls'
    const title = await ask(made, prompt, { tools: [], output_config: { format } })
    expect(JSON.parse(title)).toEqual({ title: 'Hello big world ls' })
    expect(await ask(made, prompt)).toBe('the turn')
    expect(made.requests.map(({ kind }) => kind)).toEqual(['title', 'turn'])
  })

  it('knows titles without a schema, summaries, suggestions and other schemas', async () => {
    const made = await start()
    const bare = { tools: undefined }
    const title = await ask(made, 'fix the bug', { ...bare, system: 'You are a title generator.' })
    expect(title).toBe('Fix the bug')
    const summary = await ask(
      made,
      'CRITICAL: text only.\n\nYour task is to create a detailed summary of the conversation so far.',
    )
    expect(summary).toMatch(/^<summary>[\s\S]*<\/summary>$/)
    expect(await ask(made, '[SUGGESTION MODE: Suggest what the user might type]')).toBe('list files')
    expect(await ask(made, 'quota', { ...bare, max_tokens: 1 })).toBe('ok')
    const format = {
      type: 'json_schema',
      schema: schema({ ok: { type: 'boolean' }, n: { type: 'integer' } }),
    }
    expect(JSON.parse(await ask(made, 'x', { ...bare, output_config: { format } }))).toEqual({
      ok: false,
      n: 0,
    })
    expect(made.requests.map(({ kind }) => kind)).toEqual(['title', 'other', 'other', 'other', 'other'])
  })

  it('takes a schema on the other wire', async () => {
    const made = await start()
    const json_schema = { name: 't', schema: schema({ title: { type: 'string' } }) }
    const body = openaiBody('name this', {
      tools: undefined,
      response_format: { type: 'json_schema', json_schema },
    })
    const events = await stream(made, 'openai', body)
    const text = events.map(({ data }) => at(data, 'choices.0.delta.content') ?? '').join('')
    expect(JSON.parse(text)).toEqual({ title: 'Name this' })
  })

  it('takes a prompt without tools for a turn', async () => {
    const made = await start()
    expect(await ask(made, 'MEOW: text give it a title', { tools: undefined })).toBe('give it a title')
    expect(made.requests[0]?.kind).toBe('turn')
  })

  it('lets a scenario answer them when it asks for the kind', async () => {
    const made = await start()
    made.script([{ when: { kind: 'title' }, reply: '{"title":"Mine"}' }])
    expect(await ask(made, 'hello')).toBe('You said: hello')
    const format = { type: 'json_schema', schema: schema({ title: { type: 'string' } }) }
    expect(await ask(made, 'x', { tools: [], output_config: { format } })).toBe('{"title":"Mine"}')
  })
})

describe('the demo persona', () => {
  it('says that it is scripted and repeats the prompt; it reasons only when that is on', async () => {
    const made = await start({ persona: 'demo', chunkDelayMs: 0 })
    const text = await ask(made, 'what is\nlove?', { thinking: { type: 'adaptive' } })
    expect(text).toContain('“what is love?”')
    expect(text).toContain('scripted model')
    expect(text.split('\n').length).toBeGreaterThan(5)
    expect(made.requests[0]?.response.reasoning).toContain('3 words')
    await ask(made, 'hello', { thinking: { type: 'disabled' } })
    expect(made.requests[1]?.response.reasoning).toBe('')
  })

  it.each([
    ['please list files', ['Bash'], 'ls -la'],
    ['which files are in this folder?', ['Bash'], 'ls -la'],
    ['run date -u', ['Bash'], 'date -u'],
    ['could you run `npm test` for me', ['Bash'], 'npm test'],
    ['write notes.txt with "hi there"', ['Write'], 'hi there\n'],
    ['create a file', ['Write'], 'meow.txt'],
    ['read src/a.ts', ['Read'], 'src/a.ts'],
    ['replace "a b" with "c" in x.txt', ['Read', 'Edit'], 'a b'],
  ])('does what fits %j and then ends', async (prompt, names, detail) => {
    const made = await start({ persona: 'demo', chunkDelayMs: 0 })
    const loop = await agentLoop(made, prompt)
    expect(loop.calls.map(({ name }) => name)).toEqual(names)
    expect(loop.calls.some(({ input }) => Object.values(input as object).includes(detail))).toBe(true)
    expect(loop.texts.at(-1)).toContain(`result of ${names.at(-1)}`)
  })

  it.each(['run the tests', 'write a poem', 'hello', 'show markdown', ''])(
    'calls nothing for %j',
    async (prompt) => {
      const made = await start({ persona: 'demo', chunkDelayMs: 0 })
      const loop = await agentLoop(made, prompt)
      expect(loop.calls).toEqual([])
      expect(loop.texts).toHaveLength(1)
    },
  )

  it('speaks at a human pace by default', async () => {
    const made = await start({ persona: 'demo' })
    await ask(made, 'show markdown')
    const { response } = made.requests[0] ?? {}
    const took = (response?.endedAt ?? 0) - (response?.startedAt ?? 0)
    expect(took).toBeGreaterThan(25 * ((response?.chunksSent ?? 0) - 1))
  })
})

describe('the program', () => {
  /** Compiles the program into the test's folder, next to a link to its dependencies. */
  function compile(): string {
    const source = fileURLToPath(new URL('../../src/model-server/', import.meta.url))
    symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const compilerOptions = { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022 }
    for (const name of readdirSync(source)) {
      const { outputText } = ts.transpileModule(readFileSync(join(source, name), 'utf8'), { compilerOptions })
      writeFileSync(join(folder, name.replace(/ts$/, 'js')), outputText)
    }
    return join(folder, 'main.js')
  }

  async function run(main: string, argv: string[], onOutput?: (text: string, child: ChildProcess) => void) {
    const child = spawn(process.execPath, [main, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    child.stdout.on('data', (data) => {
      out += String(data)
      onOutput?.(out, child)
    })
    child.stderr.on('data', (data) => {
      out += String(data)
    })
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    return { code, out }
  }

  it('prints its address as JSON, answers, and ends cleanly on a signal', async () => {
    const main = compile()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      let status = 0
      const { code } = await run(main, ['--json'], (text, child) => {
        const { url } = JSON.parse(text) as { url: string }
        void fetch(url)
          .then((response) => {
            status = response.status
          })
          .finally(() => child.kill(signal))
      })
      expect([code, status]).toEqual([0, 200])
    }
    expect(await run(main, ['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--port N') })
    expect(await run(main, ['--port', 'x'])).toMatchObject({
      code: 2,
      out: expect.stringContaining('--port wants'),
    })
    const missing = await run(main, ['--script', join(folder, 'none.json')])
    expect(missing).toMatchObject({ code: 1, out: expect.stringContaining('none.json cannot be read') })
  })
})
