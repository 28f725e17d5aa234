/** Thrown if the connection breaks while bytes are sent or before the response arrives. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** Thrown if the page may not send to the address, because storage has changed since the page was loaded. */
export class BlockedError extends Error {
  override readonly name = 'BlockedError'
}

export type PutResponse = { status: number; etag: string | null; message: string; retryAfter: string | null }

type Put = {
  url: string
  headers: Readonly<Record<string, string>>
  blob: Blob
  signal: AbortSignal
  /** Called with the number of bytes that have been sent so far. */
  onProgress: (sentBytes: number) => void
}

const idleTimeoutMs = 45_000
// Storage may need minutes to flush gigabytes to disk after the last byte has arrived.
const responseTimeoutMs = 15 * 60_000
// The browser reports a blocked request as a network error, and the reason in an event before or shortly after it.
const violationDelayMs = 100

/**
 * Sends bytes to a signed URL. Uses XMLHttpRequest, because fetch does not report the progress of a request. The browser
 * reads the blob from disk as it sends it.
 */
export function putBlob({ url, headers, blob, signal, onProgress }: Put): Promise<PutResponse> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout>
    const stop = () => request.abort()
    const fail = (reason: string) => {
      reject(new ConnectionError(reason))
      stop()
    }
    const onViolation = ({ blockedURI }: SecurityPolicyViolationEvent) => {
      if (originOf(blockedURI) !== originOf(url)) return
      reject(new BlockedError('The page may not send to this address.'))
      stop()
    }
    const restartTimer = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => fail(`no data was sent for ${Math.round(ms / 1000)} s`), ms)
    }
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers))
      if (name.toLowerCase() !== 'content-length') request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => {
      onProgress(loaded)
      restartTimer(loaded < blob.size ? idleTimeoutMs : responseTimeoutMs)
    })
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        etag: headerOf(request, 'etag'),
        message: messageOf(request.responseText),
        retryAfter: headerOf(request, 'retry-after'),
      }),
    )
    request.addEventListener('error', () => {
      setTimeout(() => reject(new ConnectionError('the connection was closed')), violationDelayMs)
    })
    request.addEventListener('abort', () => reject(signal.reason as Error))
    request.addEventListener('loadend', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      setTimeout(() => document.removeEventListener('securitypolicyviolation', onViolation), violationDelayMs)
    })
    signal.addEventListener('abort', stop)
    document.addEventListener('securitypolicyviolation', onViolation)
    restartTimer(idleTimeoutMs)
    request.send(blob)
  })
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url)

/** Returns a header that the browser may read, or null. `getResponseHeader` reports an error for one that it may not read. */
function headerOf(request: XMLHttpRequest, name: string): string | null {
  for (const line of request.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0 && line.slice(0, colon).toLowerCase() === name) return line.slice(colon + 1).trim()
  }
  return null
}

/** Returns the message of an error response: `message` in JSON or `<Message>` in the XML of S3. */
function messageOf(body: string): string {
  const xml = /<Message>([^<]*)<\/Message>/.exec(body)?.[1]
  if (xml !== undefined) return xml
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null && 'message' in value) return String(value.message)
  } catch {
    // The body is not JSON.
  }
  return ''
}
