import { ForbiddenAddress, type Poster } from './outgoing.ts'

const maxAttemptMs = 15_000
const maxResponseBytes = 16 * 1024

type Request = { url: string; headers: Record<string, string>; body: string }

export type PostOutcome = {
  durationMs: number
  /** The response; null if none was received. */
  code: number | null
  headers: Record<string, string> | null
  /** The first bytes of the body. */
  payload: string | null
  /** Why no response was received, as a sentence. */
  error: string | null
}

/** Sends a request and returns the outcome. Aborting the controller cancels the request. */
export async function post(
  poster: Poster,
  { url, ...request }: Request,
  controller = new AbortController(),
): Promise<PostOutcome> {
  // This uses a timer, because AbortSignal.any and AbortSignal.timeout take more CPU time than the rest of an attempt.
  const deadline = setTimeout(() => controller.abort(new AttemptTimeout()), maxAttemptMs)
  const start = performance.now()
  const durationMs = () => performance.now() - start
  try {
    const response = await poster.post(url, {
      ...request,
      maxBytes: maxResponseBytes,
      signal: controller.signal,
    })
    return { durationMs: durationMs(), ...recordedResponse(response), error: null }
  } catch (error) {
    return { durationMs: durationMs(), code: null, headers: null, payload: null, error: reasonOf(error) }
  } finally {
    clearTimeout(deadline)
  }
}

/** Returns what is stored of a response. */
function recordedResponse({ status, headers, text }: Awaited<ReturnType<Poster['post']>>) {
  // PostgreSQL cannot store NUL characters.
  const storable = (value: string) => value.replaceAll('\0', '\uFFFD')
  const recorded = Object.entries(headers).filter(([name]) => name !== 'set-cookie')
  return {
    code: status,
    headers: Object.fromEntries(recorded.map(([name, value]) => [name, storable(value)])),
    payload: storable(text),
  }
}

class AttemptTimeout extends Error {}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response was received.',
  UND_ERR_SOCKET: 'The connection was closed before a response was received.',
  EPIPE: 'The connection was closed before a response was received.',
  ENOTFOUND: 'The host name does not exist.',
  EAI_AGAIN: 'The host name could not be resolved.',
  EHOSTUNREACH: 'The host is unreachable.',
  ENETUNREACH: "The host's network is unreachable.",
  ETIMEDOUT: 'The connection timed out.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  CERT_HAS_EXPIRED: 'The TLS certificate of the host has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The TLS certificate is for another host name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The TLS certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The TLS certificate chain contains a self-signed certificate.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The TLS certificate could not be verified.',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers are too large.',
}

/** Returns the reason why no response was received, as a sentence. */
function reasonOf(error: unknown): string {
  if (error instanceof ForbiddenAddress)
    return 'The host has no public address. The operator can allow private addresses with QUAYSIDE_WEBHOOK_ALLOW_PRIVATE.'
  if (error instanceof AttemptTimeout) return `No response was received within ${maxAttemptMs / 1000} s.`
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (typeof code === 'string' && reasons[code] !== undefined) return reasons[code]
  if (cause !== undefined && cause !== null) return reasonOf(cause)
  return typeof code === 'string' && code.startsWith('HPE_')
    ? 'The response is not a valid HTTP response.'
    : 'The request could not be sent.'
}
