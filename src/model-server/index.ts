/**
 * The scripted model server's public face.
 *
 * @module model-server
 */

export { findDirective, numberedLines, type ParsedSteps, parseSteps, type Step } from './directive.js'
export { MODEL_SERVER_ERROR_CODES, ModelServerError, type ModelServerErrorCode } from './errors.js'
export type { Gate, GateStatus } from './gates.js'
export type { Unmatched } from './handler.js'
export type { Persona, PersonaChoice } from './persona.js'
export {
  type ErrorPart,
  errorReply,
  type Reply,
  type ReplyPart,
  type StopReason,
  type ToolIntent,
  textReply,
  type Usage,
} from './reply.js'
export type { ConversationItem, ModelRequest, OfferedTool, RequestImage, ToolResult } from './request.js'
export type { Disposable, Finished, LoggedRequest, LoggedResponse } from './request-log.js'
export type { Scenario, Script, ScriptContext, ScriptFunction } from './scenario.js'
export { readScriptFile } from './script-file.js'
export { type ModelServer, type ModelServerOptions, startModelServer } from './server.js'
export type { RequestKind } from './side-requests.js'
export type { ToolCall } from './wire.js'
