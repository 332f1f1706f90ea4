/** @module adapter/file-follow - tells of changes of one file that may not exist yet, without polling. */
import { existsSync, type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Ends the following. */
export interface Following {
  stop(): void
}

/**
 * Calls `onChange` now and after every change of `file`; neither it nor its folders need to exist: the deepest
 * folder that does is watched (one inotify watch, never a tree). node:fs.watch and not a watcher library:
 * those throttle, and a dropped last change would leave the end of a file unread.
 */
export function followFile(file: string, onChange: () => void): Following {
  let watcher: FSWatcher | null = null
  let watched = ''
  let stopped = false

  const arm = () => {
    if (stopped) return
    const folder = deepestFolder(file)
    if (folder === watched && watcher) return
    watcher?.close()
    watched = folder
    try {
      watcher = watch(folder, (_event, name) => {
        if (watched !== dirname(file) || !existsSync(watched)) arm()
        else if (name === null || name === basename(file)) onChange()
      })
      watcher.on('error', () => {
        watcher?.close()
        watcher = null
        arm()
      })
    } catch {
      // The folder went between the look and the watch: look again one level up.
      watcher = null
      watched = ''
      if (folder !== dirname(folder)) arm()
      return
    }
    // What appeared between the look and the watch told nobody.
    if (deepestFolder(file) !== watched) arm()
    onChange()
  }
  arm()
  return {
    stop: () => {
      stopped = true
      watcher?.close()
    },
  }
}

function deepestFolder(file: string): string {
  let folder = dirname(file)
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  return folder
}
