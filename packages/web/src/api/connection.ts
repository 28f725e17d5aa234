import { serviceUrl } from './browser.ts'

const minPauseMs = 1_000
// Spreads the checks of many browsers over time.
const maxSpreadMs = 3_000
const probeTimeoutMs = 1_500
// A proxy responds with these while the server behind it is stopped: HAProxy and Kubernetes ingresses with 503.
const awayStatuses = new Set([502, 503, 504])

let isAway = false
let isPageKept = false
let isProbing = false
let isProbeStale = false
let wasOffline = false
let endPause = (): void => {}
let restartPause = (): void => {}
let channel: BroadcastChannel | undefined
const listeners = new Set<() => void>()

/** Calls the listener when the server can no longer be reached, and when it can again. Returns a function that removes it. */
export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const isServerAway = (): boolean => isAway

/** Returns what to tell the person about the connection. */
export function connectionState(): 'reached' | 'away' | 'kept' {
  if (isPageKept) return 'kept'
  return isAway ? 'away' : 'reached'
}

/** Tells the person that the page stays open until the server can be reached. */
export function reportKeptPage(): void {
  isPageKept = true
  checkConnection()
  for (const listener of listeners) listener()
}

function setAway(next: boolean): void {
  const hasChanged = next ? !isAway : isAway || isPageKept || wasOffline
  if (!hasChanged) return
  isAway = next
  if (!next) isPageKept = wasOffline = false
  for (const listener of listeners) listener()
}

// While the server starts, only the first one has a status below 500. The second one needs neither the database nor storage.
const probes = ['/livez', '/color-scheme.js']

async function isReached(): Promise<boolean> {
  try {
    const responses = await Promise.all(
      probes.map((path) =>
        fetch(`${serviceUrl}${path}`, {
          method: 'HEAD',
          cache: 'no-store',
          signal: AbortSignal.timeout(probeTimeoutMs),
        }),
      ),
    )
    return responses.every(({ status }) => !awayStatuses.has(status))
  } catch {
    return false
  }
}

/** Checks the connection when the browser goes offline, and without a pause when it is online again. */
export function watchNetwork(): void {
  // What fails while the browser is offline is loaded again, even if no check of the connection has failed.
  const check = () => {
    wasOffline = true
    endPause()
    checkConnection()
  }
  for (const type of ['offline', 'online']) window.addEventListener(type, check)
}

/**
 * Tells the other tabs to check the connection too: only one of them has an event stream. While the server is away, a tab checks
 * only if no other has. Returns a function that stops this.
 */
export function shareConnectionChecks(): () => void {
  const own = new BroadcastChannel(`quayside connection ${serviceUrl}`)
  own.addEventListener('message', ({ data }) => {
    if (data === 'back') endPause()
    else if (isAway) restartPause()
    else checkConnection({ isShared: true })
  })
  channel = own
  return () => {
    if (channel === own) channel = undefined
    own.close()
  }
}

/** Finds out whether the server can be reached after a request has failed, and if it cannot, when it can again. */
export function checkConnection({ isShared = false } = {}): void {
  // The responses to a check that has begun may have been sent before the request failed.
  isProbeStale = true
  if (isProbing) return
  isProbing = true
  if (!isShared) channel?.postMessage('check')
  void (async () => {
    while (isProbeStale) {
      isProbeStale = false
      if (await isReached()) continue
      isProbeStale = true
      setAway(true)
      // Another tab may have been served while the server was stopping.
      channel?.postMessage('check')
      await pause()
    }
    isProbing = false
    if (isAway) channel?.postMessage('back')
    setAway(false)
  })()
}

/**
 * Resolves after some seconds, which start again when another tab checks the connection, or earlier when the browser is online again
 * or another tab has reached the server.
 */
const pause = (): Promise<void> =>
  new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    endPause = resolve
    restartPause = () => {
      clearTimeout(timer)
      timer = setTimeout(resolve, minPauseMs + Math.random() * maxSpreadMs)
    }
    restartPause()
  })

/** Sends a request, and notices if the server cannot be reached. */
export async function watched(send: () => Promise<Response>, signal?: AbortSignal | null): Promise<Response> {
  try {
    const response = await send()
    if (awayStatuses.has(response.status)) checkConnection()
    return response
  } catch (error) {
    if (signal?.aborted !== true) checkConnection()
    throw error
  }
}

/** Returns the response with a body that notices when the server closes the connection. */
export function watchedStream(response: Response): Response {
  const reader = response.body?.getReader()
  if (reader === undefined) return response
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        checkConnection()
        controller.close()
      } catch (error) {
        checkConnection()
        controller.error(error)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
