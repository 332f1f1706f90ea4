/** @module cli/demo/undo - what was started is ended again, newest first, whatever fails on the way. */

/** A list of endings. Adding one is the last act of starting a thing. */
export class Undo {
  private readonly steps: { what: string; run: () => void | Promise<void> }[] = []

  add(what: string, run: () => void | Promise<void>): void {
    this.steps.push({ what, run })
  }

  /** Runs every ending once; answers what could not be ended. */
  async all(): Promise<{ what: string; error: unknown }[]> {
    const failures: { what: string; error: unknown }[] = []
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) {
      try {
        await step.run()
      } catch (error) {
        failures.push({ what: step.what, error })
      }
    }
    return failures
  }
}
