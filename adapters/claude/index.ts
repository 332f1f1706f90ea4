/** @module adapters/claude - Claude Code. */
import type { Adapter, VendorReader } from '../../src/adapter/index.js'
import { answer } from './answer.js'
import { auth } from './auth.js'
import { capabilities } from './capabilities.js'
import { commands } from './commands.js'
import { held } from './composer.js'
import { admits, deliver, ready, steer, stillInBox, withdraw } from './deliver.js'
import { grammar } from './grammar.js'
import { interrupt } from './interrupt.js'
import { launch } from './launch.js'
import { look } from './sight.js'
import { sources } from './sources.js'
import { vendor } from './vendor.js'

export const adapter: Adapter & VendorReader = {
  vendor,
  capabilities,
  auth,
  launch,
  read: look,
  grammar,
  sources,
  stateWriter: 'observations',
  ready,
  admits,
  held,
  deliver,
  steer,
  images: 'bytes',
  withdraw,
  stillInBox,
  interrupt,
  answer,
  commands,
}
