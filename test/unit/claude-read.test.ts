import { describe, expect, it } from 'vitest'
import { asTyped, held } from '../../adapters/claude/composer.js'
import { admits, deliver } from '../../adapters/claude/deliver.js'
import { read } from '../../adapters/claude/read.js'
import type { ScreenView } from '../../src/adapter/index.js'
import { screenOf } from '../support/screen-rows.js'

const RULE = '─'.repeat(60)

/** A screen of the given rows; `dim` names the rows whose text is a suggestion behind the drawn cursor. */
function screen(
  lines: readonly string[],
  options: { title?: string; dim?: readonly number[] } = {},
): ScreenView {
  const drawn = lines.map((line, y) =>
    options.dim?.includes(y) ? `${line.slice(0, 2)}\x1b[7m${line[2]}\x1b[27;2m${line.slice(3)}\x1b[m` : line,
  )
  const title = options.title ? `\x1b]0;${options.title}\x07` : ''
  return screenOf(`${drawn.join('\n')}${title}`, { cols: 60, rows: Math.max(2, lines.length) })
}

describe('claude screen', () => {
  it('idle: an empty prompt box over the idle footer', () => {
    const r = read(screen(['● Hello', '', RULE, '❯ ', RULE, '  ? for shortcuts']))
    expect(r).toMatchObject({ state: 'idle', composer: { text: '', ghost: null }, dialog: null })
    expect(admits(r)).toEqual({ ok: true })
  })

  it('a draft is a draft, a suggestion is not', () => {
    const lines = [RULE, '❯ Try "edit x"', RULE, '  ? for shortcuts']
    expect(read(screen(lines)).composer).toEqual({ text: 'Try "edit x"', ghost: null })
    expect(read(screen(lines, { dim: [1] })).composer).toEqual({ text: '', ghost: 'Try "edit x"' })
    expect(admits(read(screen(lines)))).toMatchObject({ ok: false })
  })

  it('reads the ghost from the cells of a real screen, as a session gives them', () => {
    const composer = (text: string) =>
      read(screenOf(`${RULE}\n❯ ${text}\n${RULE}\n  ? for shortcuts`, { cols: 60, rows: 8 })).composer
    expect(composer('\u001b[7mT\u001b[27;2mry "edit x"\u001b[0m')).toEqual({
      text: '',
      ghost: 'Try "edit x"',
    })
    expect(composer('a draft')).toEqual({ text: 'a draft', ghost: null })
  })

  it('several lines of draft, and a name in the upper rule', () => {
    const r = read(screen([`${'─'.repeat(40)} my session ──`, '❯ one', '  two', RULE, '']))
    expect(r.composer?.text).toBe('one\ntwo')
  })

  it('busy by title, spinner or footer', () => {
    const box = [RULE, '❯ ', RULE]
    expect(read(screen([...box, ''], { title: '⠂ Work' })).state).toBe('running')
    expect(read(screen(['✻ Cooking… (3s)', '', ...box, ''])).state).toBe('running')
    expect(read(screen([...box, '  esc to interrupt'])).state).toBe('running')
  })

  it('a permission dialog blocks, with its options and a fingerprint that follows the question', () => {
    const dialog = (file: string) =>
      read(
        screen([
          RULE,
          ' Bash command',
          `   rm ${file}`,
          ' Do you want to proceed?',
          ' ❯ 1. Yes',
          '   2. No',
          ' Esc to cancel · Tab to amend',
        ]),
      )
    const r = dialog('a')
    expect(r).toMatchObject({ state: 'blocked', rule: 'claude.dialog.permission', composer: null })
    expect(r.dialog?.options).toEqual([
      { key: '1', label: 'Yes', selected: true },
      { key: '2', label: 'No', selected: false },
    ])
    expect(r.dialog?.fingerprint).not.toBe(dialog('b').dialog?.fingerprint)
    expect(admits(r)).toMatchObject({ ok: false, reason: expect.stringContaining('dialog') })
  })

  it('text that looks like a dialog above a prompt box is not one', () => {
    const r = read(screen([' ❯ 1. Yes', '   2. No', ' Esc to cancel', RULE, '❯ ', RULE, '  ? for shortcuts']))
    expect(r).toMatchObject({ state: 'idle', dialog: null })
  })

  it('what no rule knows is unknown, with its evidence', () => {
    expect(read(screen(['something else']))).toMatchObject({ state: 'unknown', evidence: ['something else'] })
  })
})

describe('claude prompt box', () => {
  const seen = (text: string) => ({
    reading: {
      state: 'idle' as const,
      rule: '',
      evidence: [],
      composer: { text, ghost: null },
      dialog: null,
    },
    observations: [],
  })
  const shows = (prompt: string, box: string) => {
    const step = deliver({ messageId: 'm', text: prompt, images: [] }).find((s) => s.do === 'see')
    return step?.do === 'see' && step.condition.holds(seen(box))
  }
  it('is filled by our text, however it is wrapped or marked, and not by what a person typed', () => {
    expect(shows('fix the bug in a.ts', 'fix the bug\nin a.ts')).toBe(true)
    expect(shows('日本語 👩‍💻 done', '日本語  👩 💻 done')).toBe(true)
    const pages = 'x\n'.repeat(199)
    expect(shows(pages, '[Pasted text #1 +199 lines]')).toBe(true)
    expect(shows(pages, '[Pasted text #1 +90 lines]')).toBe(false)
    expect(shows('x'.repeat(900), '[Pasted text #1]')).toBe(true)
    expect(shows('a\nb\nc\nd', '[Pasted text #1 +3 lines]')).toBe(true)
    expect(shows('short', '[Pasted text #1 +199 lines]')).toBe(false)
    expect(shows('fix the bug', 'qfix the bug')).toBe(false)
    expect(shows('fix the bug', 'something of a person')).toBe(false)
    expect(shows('fix the bug', '')).toBe(false)
    expect(shows('API0', 'rm -rf draftAPI0')).toBe(false)
    expect(shows('API0', 'AP')).toBe(false)
    expect(shows(pages, '[Pasted text #1 +199 lines] and my words')).toBe(false)
  })
  it('holds tabs as spaces', () => {
    expect(held('a\tb \n')).toBe('a    b')
  })
  it('refuses the words that quit the program', () => {
    for (const word of ['exit', ' quit ', ':q', ':wq!']) expect(() => held(word)).toThrow(/command to quit/)
    expect(held('exit the loop')).toBe('exit the loop')
  })
})

describe('claude prompts as typed', () => {
  it.each([
    ['/tmp is full', ' /tmp is full'],
    ['!important', ' !important'],
    ['ends with \\', 'ends with \\ '],
    ['see @file', 'see @file '],
    ['mail a@b.c', 'mail a@b.c'],
    ['plain;', 'plain;'],
    ['exit the loop', 'exit the loop'],
  ])('%j is typed as %j', (text, typed) => {
    expect(asTyped(text)).toBe(typed)
  })
})
