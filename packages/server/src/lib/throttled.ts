/**
 * Returns a function that runs `work` at most once per `minIntervalMs` and never concurrently. A call while it cannot
 * run is made up for later, so that work always starts after the last call.
 */
export function throttled(work: () => Promise<void>, minIntervalMs: number): () => void {
  let isBusy = false
  let isCalled = false

  async function run(): Promise<void> {
    isBusy = true
    isCalled = false
    await work()
    setTimeout(() => {
      isBusy = false
      if (isCalled) void run()
    }, minIntervalMs).unref()
  }

  return () => {
    isCalled = true
    if (!isBusy) void run()
  }
}
