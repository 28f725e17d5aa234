import { useSyncExternalStore } from 'react'

const intervalMs = 20_000
const listeners = new Set<() => void>()
let now = Date.now()
let timer: number | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= window.setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, intervalMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.clearInterval(timer)
    timer = undefined
  }
}

/** Returns the current time in milliseconds, updated every 20 seconds for all components by one timer. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now, Date.now)
