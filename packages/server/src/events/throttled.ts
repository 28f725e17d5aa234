/**
 * Returns a function that runs `work`, but not during the previous run or within `minIntervalMs` after it. Calls during
 * that time cause a single run afterwards, so `work` always starts once more after the last call.
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
