/** @module pi - the adapter for Pi (`pi`, @earendil-works/pi-coding-agent). */
import type { Adapter, VendorReader } from '../../src/adapter/index.js'
import { answer } from './answer.js'
import { auth } from './auth.js'
import { capabilities } from './capabilities.js'
import { commands } from './commands.js'
import { admits, deliver, interrupt, ready, steer } from './deliver.js'
import { grammar } from './grammar.js'
import { launch } from './launch.js'
import { read } from './read.js'
import { sources } from './sources.js'
import { vendor } from './vendor.js'

export const adapter: Adapter & VendorReader = {
  vendor,
  capabilities,
  auth,
  launch,
  read,
  grammar,
  sources,
  stateWriter: 'observations',
  ready,
  admits,
  deliver,
  steer,
  repeatable: true,
  images: 'bytes',
  interrupt,
  answer,
  commands,
}
