/** @module codex - the reading part of Codex's adapter. */
import type { VendorReader } from '../../src/adapter/index.js'
import { grammar } from './grammar.js'
import { read } from './read.js'
import { vendor } from './vendor.js'

export const reader: VendorReader = { vendor, read, grammar }
