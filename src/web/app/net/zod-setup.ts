/** @module web/net/zod-setup - no generated code: the page's policy forbids it. Imported before any schema is used. */
import { config } from 'zod'

config({ jitless: true })
