/**
 * Reading unknown JSON without casts.
 *
 * @module model-server/json
 */

/** A JSON object whose members are not known yet. */
export type JsonObject = Record<string, unknown>

/** True for a plain JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The member if it is an object, else an empty object. */
export function objectAt(value: unknown, key: string): JsonObject {
  const member = isObject(value) ? value[key] : undefined
  return isObject(member) ? member : {}
}

/** The member if it is a string, else the fallback. */
export function stringAt(value: unknown, key: string, fallback = ''): string {
  const member = isObject(value) ? value[key] : undefined
  return typeof member === 'string' ? member : fallback
}

/** The member if it is an array, else an empty array. */
export function arrayAt(value: unknown, key: string): unknown[] {
  const member = isObject(value) ? value[key] : undefined
  return Array.isArray(member) ? member : []
}

/** Parsed JSON, or undefined when the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
