/** @module adapter/file-follow - tells of changes of one file that may not exist yet, without polling. */
import { existsSync, type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Ends the following. */
export interface Following {
  stop(): void
}

/** Folders that come and go under the look, this often in a row, are given up. */
const LOOKS = 64

/**
 * Calls `onChange` now and after every change of `file`; neither it nor its folders need to exist: the deepest
 * folder that does is watched (one inotify watch, never a tree). node:fs.watch and not a watcher library:
 * those throttle, and a dropped last change would leave the end of a file unread.
 *
 * Never throws. Where the system gives no watch (ENOSPC, EMFILE) `onFault` is told once and no change is heard any
 * more: the caller sees what it looks for by itself. What `onChange` throws is told, too.
 */
export function followFile(
  file: string,
  onChange: () => void,
  onFault: (detail: string) => void = () => undefined,
): Following {
  let watcher: FSWatcher | null = null
  let watched = ''
  let stopped = false

  const close = () => {
    watcher?.close()
    watcher = null
    watched = ''
  }
  const changed = () => {
    try {
      onChange()
    } catch (error) {
      onFault(`a change of ${file} was not taken (${nameOf(error)})`)
    }
  }
  const failed = (error: unknown) => {
    if (stopped) return
    stopped = true
    close()
    onFault(`changes of ${file} cannot be watched (${nameOf(error)})`)
  }
  /** Watches this folder; false when it went between the look and the watch. */
  const armed = (folder: string): boolean => {
    try {
      watcher = watch(folder, (_event, name) => {
        if (watched !== dirname(file) || !existsSync(watched)) arm()
        else if (name === null || name === basename(file)) changed()
      })
      watched = folder
      watcher.on('error', (error) => {
        close()
        if (nameOf(error) === 'ENOENT') arm()
        else failed(error)
      })
      return true
    } catch (error) {
      if (nameOf(error) !== 'ENOENT') failed(error)
      return false
    }
  }
  const arm = () => {
    let folder = deepestFolder(file)
    if (stopped || (folder === watched && watcher)) return
    for (let look = 0; !stopped; look += 1) {
      close()
      if (look === LOOKS) return failed(new Error('its folders come and go'))
      const stays = armed(folder)
      const now = deepestFolder(file)
      // What appeared between the look and the watch told nobody.
      if (stays && now === folder) break
      folder = stays || now !== folder ? now : dirname(folder)
    }
    changed()
  }
  arm()
  return {
    stop: () => {
      stopped = true
      close()
    },
  }
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error ? String(error.code) : error.name
}

function deepestFolder(file: string): string {
  let folder = dirname(file)
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  return folder
}
