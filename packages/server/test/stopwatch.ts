const tickMs = 50

/**
 * Measures time in timer ticks, so that time during which this process is stalled does not count. The result is at most
 * the time that has passed.
 */
export function startStopwatch() {
  let ticks = 0
  const timer = setInterval(() => ticks++, tickMs).unref()
  return {
    elapsedMs: (): number => ticks * tickMs,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
