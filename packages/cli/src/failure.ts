import { InvalidParameterError, networkCode, QuaysideError, QuaysideUnreachableError } from '@quayside/sdk'
import { fileErrorReason, isFileError } from './files/file-error.ts'

export type FailureKind = 'failed' | 'usage' | 'not_allowed' | 'unreachable' | 'interrupted'

/** Process exit codes. They are part of the CLI's public interface. */
export const exitCodes: Record<FailureKind, number> = {
  failed: 1,
  usage: 2,
  not_allowed: 3,
  unreachable: 4,
  interrupted: 130,
}

/** What to do about a request that a proxy rejects because of its size. */
export const tooLargeAdvice =
  'A proxy in front of the server limits the size of requests. In nginx, set client_max_body_size to 0.'

/** The error code for a response that does not come from Quayside. */
export const notQuaysideCode = 'cli.not_quayside'

/** A failure with a message for the user: what is wrong and what to do. */
export class Failure extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Replaces a 404 error with a message that names the missing resource. */
export async function withNotFoundMessage<Result>(
  response: Promise<Result>,
  message: string,
): Promise<Result> {
  try {
    return await response
  } catch (error) {
    if (error instanceof QuaysideError && error.status === 404) throw new Failure('failed', message)
    throw error
  }
}

/** The report on a failed command. `--json` prints it unchanged. */
export type FailureReport = {
  message: string
  kind: FailureKind
  status?: number
  code?: string
  errors?: Record<string, string[]>
  request_id?: string
}

/** Returns the name by which the user knows a field of the API, such as the option that sets it. */
type NameField = (field: string) => string

/** Converts a thrown value to a report. Includes the stack trace only for programming errors. */
export function toFailureReport(error: unknown, nameField: NameField = (field) => field): FailureReport {
  if (error instanceof Failure) return { message: error.message, kind: error.kind }
  if (error instanceof QuaysideUnreachableError) {
    return { message: describeUnreachable(error), kind: 'unreachable' }
  }
  if (error instanceof QuaysideError) {
    return {
      ...describeError(error, nameField),
      status: error.status,
      ...(error.code ? { code: error.code } : {}),
      ...(Object.keys(error.errors).length > 0 ? { errors: error.errors } : {}),
      ...(error.requestId ? { request_id: error.requestId } : {}),
    }
  }
  if (error instanceof InvalidParameterError) {
    return { message: `${error.message} Check the arguments of the command.`, kind: 'usage' }
  }
  if (isFileError(error)) {
    const path = error.path ?? 'a file'
    const message = `Cannot use ${path}: ${fileErrorReason(error)}. Check the path, its permissions and the disk.`
    return { message, kind: 'failed', code: error.code ?? '' }
  }
  return {
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    kind: 'failed',
  }
}

function describeUnreachable({ message, baseUrl, cause }: QuaysideUnreachableError): string {
  switch (networkCode(cause)) {
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return `The server at ${baseUrl} does not speak TLS. Use ${baseUrl.replace(/^https/, 'http')}.`
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return `${message}. If you trust its certificate authority, set NODE_EXTRA_CA_CERTS to the path of its certificate.`
    case 'ECONNRESET':
      if (baseUrl.startsWith('http:'))
        return `${message}. Check that the server is running. If it uses TLS, use ${baseUrl.replace(/^http/, 'https')}.`
      return `${message}. Check that the server is running and that no proxy blocks the connection.`
    default:
      return `${message}. Check that the server is running and that its URL (--server or QUAYSIDE_SERVER) is correct.`
  }
}

function describeError(error: QuaysideError, nameField: NameField): { message: string; kind: FailureKind } {
  const message = error.message.replace(/\.?\s*$/, '.')
  if (error.code === notQuaysideCode) return { message, kind: 'unreachable' }
  const isFromProxy =
    error.code === '' && (error.status === 413 || error.status === 429 || error.status >= 500)
  if (isFromProxy) return describeProxyError(error.status)
  switch (error.status) {
    case 401:
      return {
        message:
          'The API key is invalid, expired or revoked. Run `quayside login` or set QUAYSIDE_API_KEY to a valid key.',
        kind: 'not_allowed',
      }
    case 403:
      return { message: `${message} Use an API key with the required scope.`, kind: 'not_allowed' }
    case 404:
      return {
        message: isGenericNotFound(message)
          ? `${message} Check the ID and what the API key can access.`
          : message.replace(/^Not found\. /, ''),
        kind: 'failed',
      }
    case 400:
    case 422:
      return {
        message: `The server rejected the request: ${fieldMessages(error, nameField) || message}`,
        kind: 'failed',
      }
    case 502:
    case 503:
    case 504:
      return { message: `The server is not ready: ${message}`, kind: 'unreachable' }
    default:
      return { message, kind: 'failed' }
  }
}

/** Returns whether a message does not say which resource was not found. */
const isGenericNotFound = (message: string): boolean => /^Not found(: \S+)?\.$/.test(message)

/** Describes an error response without an error code, which comes from a proxy in front of the server. */
function describeProxyError(status: number): { message: string; kind: FailureKind } {
  switch (status) {
    case 413:
      return { message: `The request is too large (HTTP 413). ${tooLargeAdvice}`, kind: 'failed' }
    case 429:
      return {
        message: 'A proxy in front of the server limits the number of requests (HTTP 429). Try again later.',
        kind: 'failed',
      }
    case 502:
    case 503:
    case 504:
      return {
        message: `A proxy in front of the server cannot reach it (HTTP ${status}). Check that the server is running, or try again later.`,
        kind: 'unreachable',
      }
    default:
      return {
        message: `The server or a proxy in front of it failed (HTTP ${status}). Try again later, or check its log.`,
        kind: 'failed',
      }
  }
}

/** Maps each filter of a list to the command that lists its valid values. */
const listCommands = new Map([
  ['streams', 'quayside streams list'],
  ['labels', 'quayside labels list'],
  ['platforms', 'quayside platforms list'],
  ['custom_target', "quayside api GET '/applications/{application}/custom-targets'"],
  ['custom_targets', "quayside api GET '/applications/{application}/custom-targets'"],
])

function fieldMessages(error: QuaysideError, nameField: NameField): string {
  return Object.entries(error.errors)
    .map(([field, messages]) => {
      const command = messages.some((message) => message.includes(' is not a ')) && listCommands.get(field)
      const name = nameField(field)
      const texts = messages.map((message) => `${name}${/^[a-z]/.test(message) ? '' : ':'} ${message}`)
      return `${texts.join(' ')}${command ? ` Run \`${command}\` to see them.` : ''}`
    })
    .join('; ')
}
