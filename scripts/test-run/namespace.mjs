/** @module scripts/test-run/namespace - a network with nothing but loopback, so that no test reaches the outside. */
import { run, SetupError, which } from '../setup/command.mjs'

/** Notes the namespace (by it, whatever is left of the run is found), raises loopback, becomes the program. */
const ENTER = 'readlink /proc/self/ns/net >"$0" && ip link set lo up && exec "$@"'

/**
 * The command line that runs `argv` in a namespace of its own.
 * @param {string} noteFile @param {readonly string[]} argv
 * @returns {Promise<string[]>}
 */
export async function isolated(noteFile, argv) {
  if (process.env.AGENT_MEOW_TEST_NO_NETNS === '1') return [...argv]
  if (which('unshare') === null) {
    throw new SetupError(
      'the tests run in a network namespace, and this system has no `unshare`',
      'run them on Linux, or set AGENT_MEOW_TEST_NO_NETNS=1 to run them in the open network',
    )
  }
  // Root needs no user namespace; others get one, where the kernel lets them.
  const ways = process.getuid?.() === 0 ? [['-n'], ['-rn']] : [['-rn']]
  for (const flags of ways) {
    const probe = ['sh', '-c', ENTER, '/dev/null', 'true']
    const { code } = await run('unshare', [...flags, ...probe], { quiet: true, env: systemPath() })
    if (code === 0) return ['unshare', ...flags, 'sh', '-c', ENTER, noteFile, ...argv]
  }
  throw new SetupError(
    'this machine refuses network namespaces (unshare -n and unshare -rn both failed)',
    'allow them (as root, or kernel.unprivileged_userns_clone=1), or set AGENT_MEOW_TEST_NO_NETNS=1 to run without',
  )
}

function systemPath() {
  return { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` }
}
