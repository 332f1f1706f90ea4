/** @module adapters/claude/launch - how Claude Code is started, with settings of this session only. */
import { dirname, join } from 'node:path'
import type { LaunchPlan, LaunchRequest } from '../../src/adapter/index.js'
import { configFolder, transcriptFile } from './paths.js'

/**
 * Hooks that are observed. Every one is an HTTP hook: measured 5 to 20 ms a call, against 40 to 300 ms for a command.
 * SessionStart is not called over HTTP (2.1.197) and is not needed: the session id is ours.
 */
const OBSERVED = [
  'UserPromptSubmit',
  'MessageDisplay',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'StopFailure',
  'SessionEnd',
]

/** Arguments with which the vendor chooses the session itself. */
const OWN_SESSION = new Set(['--session-id', '--resume', '-r', '--continue', '-c', '--fork-session'])

export function launch(request: LaunchRequest): LaunchPlan {
  const ownSession = request.args.some((a) => OWN_SESSION.has(a.split('=')[0] ?? a))
  const vendorSessionId = ownSession ? null : request.uuid()
  const settingsFile = join(request.sessionDir, 'claude-settings.json')
  const settings = {
    // Stands against a user's `disableAllHooks`, which would silence ours too.
    disableAllHooks: false,
    hooks: Object.fromEntries(
      OBSERVED.map((event) => [
        event,
        [
          {
            hooks: [
              {
                type: 'http',
                url: request.hook.url,
                // In the file (0600) and not in a variable: the agent's shell tools would inherit that.
                headers: { Authorization: `Bearer ${request.hook.token}` },
                timeout: 30,
              },
            ],
          },
        ],
      ]),
    ),
  }
  return {
    argv: [
      request.binary,
      '--settings',
      settingsFile,
      ...(vendorSessionId === null ? [] : ['--session-id', vendorSessionId]),
      ...(request.model === null ? [] : ['--model', request.model]),
      ...request.args,
    ],
    env: request.env,
    files: [{ path: settingsFile, text: `${JSON.stringify(settings, null, 2)}\n` }],
    vendorSessionId,
    facts: {
      configFolder: configFolder(request.env),
      // Where its transcripts are: the status file names a session by its id only.
      projectFolder: dirname(transcriptFile(request.env, request.cwd, 'any')),
      transcript: vendorSessionId === null ? '' : transcriptFile(request.env, request.cwd, vendorSessionId),
    },
  }
}
