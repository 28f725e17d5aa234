import { loadFailures } from '../text/failures.ts'
import { checkConnection } from './connection.ts'
import { checkVersion } from './console-version.ts'

/** A part of the console could not be loaded. */
export class LoadError extends Error {
  /** Whether only a reload of the page can help. */
  readonly needsReload: boolean

  constructor(reason: keyof typeof loadFailures, cause: unknown) {
    super(loadFailures[reason], { cause })
    this.name = 'LoadError'
    this.needsReload = reason !== 'unreachable'
  }
}

/**
 * Loads a module, or throws `LoadError`. The page is never reloaded here, because a module is also loaded while the pointer is
 * over a link.
 */
export async function loadModule<Module>(load: () => Promise<Module>, isRetry: boolean): Promise<Module> {
  if (isRetry) await loadMissingStyles()
  try {
    return await load()
  } catch (error) {
    const version = await checkVersion()
    if (version === 'newer') throw new LoadError('newer', error)
    // Some browsers remember that a module could not be loaded.
    if (version === 'same' && isRetry) throw new LoadError('failed', error)
    checkConnection()
    throw new LoadError('unreachable', error)
  }
}

/** Loads the style sheets that could not be loaded before, which the bundler requests only once. */
async function loadMissingStyles(): Promise<void> {
  const missing = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(
    ({ sheet }) => sheet === null,
  )
  await Promise.all(
    missing.map(
      (link) =>
        new Promise<void>((resolve) => {
          const next = document.createElement('link')
          next.rel = 'stylesheet'
          next.nonce = link.nonce
          next.href = link.href
          next.addEventListener('load', () => resolve())
          next.addEventListener('error', () => resolve())
          link.replaceWith(next)
        }),
    ),
  )
}
