/** @module Killing: never a pid that would be everybody. */

import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openTmuxHost } from '../../src/terminal/index.js'
import { endTree } from '../../src/terminal/process-tree.js'
import { paneIds } from '../../src/terminal/tmux-pane.js'
import { TmuxServer } from '../../src/terminal/tmux-server.js'
import { removeFolder, specOf, tempFolder } from './support.js'

afterEach(() => vi.restoreAllMocks())

describe('a pid that is no program', () => {
  test.each([0, 1, -1, Number.NaN, 2.5])('%d is refused, and nothing is signalled', async (root) => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    // Whatever happens here, no real signal may leave this test.
    expect(vi.isMockFunction(process.kill)).toBe(true)
    await expect(endTree(root, Promise.resolve(), 0)).rejects.toMatchObject({ code: 'internal' })
    expect(kill).not.toHaveBeenCalled()
  })

  test.each([
    ['nothing', []],
    ['no pid', ['%1 @1 ']],
    ['pid 0', ['%1 @1 0']],
    ['pid 1', ['%1 @1 1']],
    ['no number', ['%1 @1 x']],
    ['no window', ['%1 1 99']],
    ['no pane', ['%x @1 99']],
  ])('told by tmux (%s) is an error', (_what, replies) => {
    expect(() => paneIds(replies)).toThrow(expect.objectContaining({ code: 'tmux_failed' }))
  })

  test('told by tmux at a start fails the start and leaves no session', async () => {
    const folder = tempFolder()
    const host = await openTmuxHost({ socketDir: join(folder, 's') })
    const run = TmuxServer.prototype.run
    vi.spyOn(TmuxServer.prototype, 'run').mockImplementation(async function (this: TmuxServer, label, line) {
      const replies = await run.call(this, label, line)
      return label.startsWith('new-session') ? replies.map((reply) => reply.replace(/ \d+$/, ' 0')) : replies
    })
    await expect(host.open(specOf(folder, ['/bin/sleep', '300']))).rejects.toMatchObject({
      code: 'terminal_start_failed',
      cause: expect.objectContaining({ code: 'tmux_failed' }),
    })
    expect(await host.list()).toEqual([])
    await host.dispose()
    removeFolder(folder)
  })
})
