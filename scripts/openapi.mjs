#!/usr/bin/env node
/** @module scripts/openapi - writes docs/openapi.json from the built code: `npm run build && node scripts/openapi.mjs` */
import { writeFileSync } from 'node:fs'
import { makeOpenApi } from '../dist/src/hub/openapi.js'
import { packageVersion } from '../dist/src/hub/version.js'

const file = new URL('../docs/openapi.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(makeOpenApi(packageVersion()), null, 2)}\n`)
console.log('wrote docs/openapi.json')
