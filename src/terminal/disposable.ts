/**
 * @module The one-method contract for everything in this room that must be let go of again.
 */

/** Something that holds a resource or a subscription. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void
}
