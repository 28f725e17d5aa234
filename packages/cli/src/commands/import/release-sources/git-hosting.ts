import type { CommandContext } from '../../../command-context.ts'
import { Failure } from '../../../failure.ts'
import { parseServerUrl } from '../../../server-url.ts'
import { checkKey } from '../../../settings.ts'
import type { ServiceOptions } from './release-source.ts'
import { WebApi } from './web-api.ts'
import type { WebApiOptions } from './web-api.ts'

/** Returns the repository that `--repository` names. */
export function requireRepository({ repository }: ServiceOptions, example: string): string {
  const name = repository?.trim().replaceAll(/^\/+|\/+$/g, '') ?? ''
  const segments = name.split('/')
  if (segments.every((segment) => /^[\p{L}\p{N}_.~-]+$/u.test(segment) && !/^\.\.?$/.test(segment)))
    return name
  throw new Failure('usage', `Name the repository with --repository, such as --repository ${example}.`)
}

/** Returns the repository that `--repository` names as `owner/name`. */
export function requireOwnerAndName(options: ServiceOptions): string {
  const name = requireRepository(options, 'owner/name')
  if (/^[^/]+\/[^/]+$/.test(name)) return name
  throw new Failure('usage', `"${name}" is not a repository. Use --repository owner/name.`)
}

/** Returns the URL of the service, which `--url` sets. */
export const serviceUrl = ({ url }: ServiceOptions, fallback: string): string =>
  parseServerUrl(url ?? fallback)

type Access = Pick<WebApiOptions, 'service' | 'base'> & {
  token: string | undefined
  /** The environment variable with the token. */
  variable: string
  /** Returns the headers with the token. */
  authorize: (token: string) => Record<string, string>
  headers?: Record<string, string>
}

/** Creates a client for the API of a service. */
export function createWebApi(
  { output, signal }: CommandContext,
  { token, variable, authorize, headers = {}, ...rest }: Access,
): WebApi {
  if (token !== undefined) checkKey(token)
  return new WebApi({
    ...rest,
    headers,
    authorization: token === undefined ? {} : authorize(token),
    tokenAdvice: token === undefined ? `Set ${variable} if a token is required.` : `Check ${variable}.`,
    ...(token === undefined ? { rateLimitAdvice: `Set ${variable} for a higher limit.` } : {}),
    output,
    signal,
  })
}

/** Returns a full commit ID, or null for the name of a branch. */
export const commitOf = (text: string | null): string | null =>
  text !== null && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text) ? text : null
