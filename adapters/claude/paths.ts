/** @module adapters/claude/paths - where Claude Code keeps its files (measured with 2.1.197). */
import { join, normalize, sep } from 'node:path'

type Env = Readonly<Record<string, string>>

/** `CLAUDE_CONFIG_DIR` moves the whole tree, `~/.claude.json` included. */
export function configFolder(env: Env): string {
  return env.CLAUDE_CONFIG_DIR || join(env.HOME ?? '/', '.claude')
}

export function globalConfigFile(env: Env): string {
  return env.CLAUDE_CONFIG_DIR
    ? join(env.CLAUDE_CONFIG_DIR, '.claude.json')
    : join(env.HOME ?? '/', '.claude.json')
}

/** `{pid, sessionId, status: idle|busy|waiting, waitingFor}`; appears at the start, removed at the exit. */
export function statusFile(folder: string, pid: number): string {
  return join(folder, 'sessions', `${pid}.json`)
}

/** Where the transcript of a session in `cwd` will be: all but letters and digits of the path becomes `-`. */
export function transcriptFile(env: Env, cwd: string, sessionId: string): string {
  return join(configFolder(env), 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'), `${sessionId}.jsonl`)
}

/** Whether a path that a hook names is a transcript: nothing else is read on its word. */
export function isTranscript(folder: string, path: string): boolean {
  return path.endsWith('.jsonl') && normalize(path) === path && path.startsWith(join(folder, 'projects', sep))
}
