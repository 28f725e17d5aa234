/** The pause between two iterations of a loop, which `wake` ends early. */
export type WakeUp = {
  /** Ends the current pause, or skips the next one. */
  wake(): void
  /** Waits until `wake` is called or the time has passed. Does not wait if `wake` was called since the last pause. */
  pause(ms: number): Promise<void>
}

export function createWakeUp(): WakeUp {
  let isAwake = false
  let resume: (() => void) | undefined
  return {
    wake() {
      isAwake = true
      resume?.()
    },
    async pause(ms) {
      if (!isAwake)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          resume = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      resume = undefined
      isAwake = false
    },
  }
}
