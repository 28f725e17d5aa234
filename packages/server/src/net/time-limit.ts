const tickMs = 250

/**
 * Starts a time limit. Its signal is aborted after `limitMs` with the error of `AbortSignal.timeout`. Stalls of this
 * process do not count: after one, a timer would expire before the response that has arrived is read.
 */
export function startTimeLimit(limitMs: number): { signal: AbortSignal } & Disposable {
  const controller = new AbortController()
  let remainingTicks = Math.ceil(limitMs / tickMs)
  const timer = setInterval(() => {
    if (--remainingTicks > 0) return
    clearInterval(timer)
    controller.abort(new DOMException(`No response within ${limitMs} ms`, 'TimeoutError'))
  }, tickMs).unref()
  return { signal: controller.signal, [Symbol.dispose]: () => clearInterval(timer) }
}
