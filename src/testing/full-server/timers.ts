/** All clocks of one server, so that it can stop with none left running. */
export class Timers {
  private readonly running = new Set<NodeJS.Timeout>()
  private readonly slowness: number
  private over = false

  constructor(slowness: number) {
    this.slowness = slowness
  }

  /** Runs `then` after so many milliseconds of this server's own pace; the answer calls it off. */
  after(ms: number, then: () => void): () => void {
    return this.exactly(ms * this.slowness, then)
  }

  /** Runs `then` after so many real milliseconds: for the interface's own timeouts. */
  exactly(ms: number, then: () => void): () => void {
    if (this.over) return () => {}
    const timer = setTimeout(() => {
      this.running.delete(timer)
      then()
    }, ms)
    this.running.add(timer)
    return () => {
      clearTimeout(timer)
      this.running.delete(timer)
    }
  }

  async pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.after(ms, resolve)
    })
  }

  stop(): void {
    this.over = true
    for (const timer of this.running) clearTimeout(timer)
    this.running.clear()
  }
}
