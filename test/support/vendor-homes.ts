/** @module test/support/vendor-homes - fresh homes in which the vendors' programs reach a ready prompt offline. */
export { claudeSetup } from './homes/claude.js'
export { CODEX_MODEL, type CodexOptions, codexSetup } from './homes/codex.js'
export { copilotSetup } from './homes/copilot.js'
export { GEMINI_MODEL, geminiSetup } from './homes/gemini.js'
export { type HomeOptions, VENDOR_BIN, type VendorSetup } from './homes/home.js'
export { OPENCODE_PRICE, opencodeSetup } from './homes/opencode.js'
export { PI_PRICE, piSetup } from './homes/pi.js'
export { qwenSetup } from './homes/qwen.js'
