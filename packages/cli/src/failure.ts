import { QuaysideError, QuaysideUnreachableError } from '@quayside/sdk'

export type FailureKind = 'failed' | 'usage' | 'not_allowed' | 'unreachable' | 'interrupted'

/** Process exit codes by kind of failure; part of the command line's contract. */
export const exitCodes: Record<FailureKind, number> = {
  failed: 1,
  usage: 2,
  not_allowed: 3,
  unreachable: 4,
  interrupted: 130,
}

/** A failure with its one sentence for people: the cause and the next step. */
export class Failure extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Replaces the service's bare "Not found." by a sentence that names what was looked for. */
export async function foundOr<Found>(answer: Promise<Found>, message: string): Promise<Found> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof QuaysideError && error.status === 404) throw new Failure('failed', message)
    throw error
  }
}

/** What a failed command prints and exits with; `--json` prints it as it is. */
export type FailureReport = {
  message: string
  kind: FailureKind
  status?: number
  code?: string
  errors?: Record<string, string[]>
  request_id?: string
}

/** Turns anything thrown into a report. Only programming errors keep their stack. */
export function reportOf(error: unknown): FailureReport {
  if (error instanceof Failure) return { message: error.message, kind: error.kind }
  if (error instanceof QuaysideUnreachableError) {
    return {
      message: `${error.message}. Check that the server runs and that --server (or QUAYSIDE_SERVER) is its address.`,
      kind: 'unreachable',
    }
  }
  if (error instanceof QuaysideError) return reportOfAnswer(error)
  if (error instanceof Error && 'code' in error && 'syscall' in error) {
    return { message: `${error.message}.`, kind: 'failed', code: String(error.code) }
  }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), kind: 'failed' }
}

function reportOfAnswer(error: QuaysideError): FailureReport {
  return {
    ...adviceFor(error),
    status: error.status,
    ...(error.code ? { code: error.code } : {}),
    ...(Object.keys(error.errors).length > 0 ? { errors: error.errors } : {}),
    ...(error.requestId ? { request_id: error.requestId } : {}),
  }
}

function adviceFor(error: QuaysideError): { message: string; kind: FailureKind } {
  const said = error.message.replace(/\.?\s*$/, '.')
  switch (error.status) {
    case 401:
      return {
        message: 'The server does not accept this API key: give a valid one with --key or QUAYSIDE_API_KEY.',
        kind: 'not_allowed',
      }
    case 403:
      return {
        message: `${said} Use a key that has it, or give this key's owner the scope.`,
        kind: 'not_allowed',
      }
    case 404:
      return {
        message: `${said} Check the ids: the thing is absent or outside this key's reach.`,
        kind: 'failed',
      }
    case 400:
    case 422:
      return { message: `The server refused the request: ${fieldTexts(error) || said}`, kind: 'failed' }
    case 429:
      return { message: `${said} The server asks for fewer requests: try again in a minute.`, kind: 'failed' }
    case 502:
    case 503:
    case 504:
      return {
        message: `The server is not ready (${error.status}: ${said}) Try again shortly.`,
        kind: 'unreachable',
      }
    case 507:
      return {
        message: `${said} The server's disk is full: free some space there and run this again.`,
        kind: 'failed',
      }
    default:
      return { message: said, kind: 'failed' }
  }
}

function fieldTexts(error: QuaysideError): string {
  return Object.entries(error.errors)
    .map(([field, texts]) => `${field}: ${texts.join(' ')}`)
    .join('; ')
}
