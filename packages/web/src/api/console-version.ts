import { serviceUrl } from './browser.ts'

const timeoutMs = 10_000

let isOutdated = false
const listeners = new Set<() => void>()

/** Returns whether the server has a newer version of the console than this page. */
export const isConsoleOutdated = (): boolean => isOutdated

/** Calls the listener when the server has a newer version than this page. Returns a function that removes it. */
export function onConsoleOutdated(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Compares the first script of the page with the one that the server names now. Its name contains a hash of its content.
 * Returns `unknown` if the server cannot be reached.
 */
export async function checkVersion(): Promise<'same' | 'newer' | 'unknown'> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src
  try {
    const response = await fetch(`${serviceUrl}/version.json`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) return 'unknown'
    const { script } = (await response.json()) as { script: string }
    if (own === `${serviceUrl}/${script}`) return 'same'
  } catch {
    return 'unknown'
  }
  isOutdated = true
  for (const listener of listeners) listener()
  return 'newer'
}
