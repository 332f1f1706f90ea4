#!/usr/bin/env node
/** @module cli/main - the program `agent-meow`. */
import { adapters, readers } from '../../adapters/registry.js'
import { packageVersion } from '../hub/client.js'
import { openOffline } from '../hub/offline.js'
import { allCommands } from './commands/index.js'
import { runProgram } from './program.js'
import { realShell } from './real-shell.js'

process.exitCode = await runProgram(process.argv.slice(2), realShell(adapters), {
  commands: allCommands(
    adapters.map(({ vendor }) => vendor),
    openOffline({ readers, adapters }),
  ),
  version: packageVersion(),
})
