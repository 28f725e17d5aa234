/** Returns a signal that is aborted when one of the signals is. Node has `AbortSignal.any` since 20.3. */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any([...signals])
  const controller = new AbortController()
  for (const signal of signals) {
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { signal: controller.signal })
  }
  return controller.signal
}
