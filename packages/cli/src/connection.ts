import { anySignal, QuaysideError, QuaysideUnreachableError } from '@quayside/sdk'
import type { ClientOptions, ClientResponse } from '@quayside/sdk'
import { version } from './defaults.ts'
import { notQuaysideCode } from './failure.ts'
import type { Output } from './output/output.ts'
import { httpFetch } from './transfer/http-fetch.ts'
import { createUpdateNote } from './update-note.ts'

/** A command's connection to its server. */
export type Connection = Required<Pick<ClientOptions, 'baseUrl' | 'fetch' | 'userAgent' | 'onResponse'>> & {
  /** Returns the version that the server reported, or undefined before the first response. */
  serverVersion(): string | undefined
}

/**
 * Maximum time until the first response. A server that has responded once may take longer, for example to verify an
 * upload.
 */
const firstResponseMs = 15_000

/** Creates the connection to a server. It rejects responses that do not come from Quayside. */
export function createConnection(
  server: string,
  output: Output,
  timeoutMs: number = firstResponseMs,
): Connection {
  const noteUpdate = createUpdateNote(server, output)
  let serverVersion: string | undefined
  return {
    baseUrl: server,
    userAgent: `quayside-cli/${version}`,
    serverVersion: () => serverVersion,
    async fetch(input, init) {
      const send = init?.redirect === 'manual' ? httpFetch : fetch
      if (serverVersion !== undefined) return send(input, init)
      const silence = new AbortController()
      const timer = setTimeout(() => silence.abort(), timeoutMs)
      const signals = [silence.signal, ...(init?.signal ? [init.signal] : [])]
      try {
        return await send(input, { ...init, signal: anySignal(signals) })
      } catch (error) {
        if (!silence.signal.aborted) throw error
        // The client does not retry this error, because a server that has never responded is unlikely to respond to a
        // retry.
        throw new QuaysideUnreachableError(server, new Error(`timed out after ${timeoutMs / 1000} seconds`))
      } finally {
        clearTimeout(timer)
      }
    },
    onResponse(response) {
      const reported = response.headers.get('quayside-version')
      if (reported === null) requireProxyError(server, response)
      else serverVersion = reported
      noteUpdate(response)
    },
  }
}

/** Throws for a response that does not come from Quayside, unless it is an error or redirect that a proxy may send. */
function requireProxyError(server: string, { status, headers }: ClientResponse): void {
  if (status >= 500 || status === 413 || status === 429 || (status >= 300 && status < 400)) return
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content type'
  const subject =
    status === 401 || status === 403
      ? `${server} is not a Quayside server, or a proxy denied the request`
      : `${server} is not a Quayside server`
  throw new QuaysideError(
    status,
    `${subject} (HTTP ${status}, ${type}). Check the URL (--server or QUAYSIDE_SERVER).`,
    { code: notQuaysideCode },
  )
}
