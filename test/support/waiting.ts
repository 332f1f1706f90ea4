/** @module test/support/waiting - conditions that are looked at whenever something happened. */

export class Waiting {
  private readonly checks = new Set<() => void>()

  /** Something happened: everyone who waits looks again. */
  look(): void {
    for (const check of [...this.checks]) check()
  }

  /**
   * Resolves when the condition holds; rejects after `ms` with what was waited for.
   * @param last what to tell beside it
   */
  until(what: string, holds: () => unknown, ms: number, last: () => string): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.checks.delete(check)
        reject(new Error(`not seen in ${ms} ms: ${what}\n${last()}`))
      }, ms)
      const check = (): void => {
        if (!holds()) return
        clearTimeout(late)
        this.checks.delete(check)
        resolve()
      }
      this.checks.add(check)
      check()
    })
  }
}
