import type { CommandContext } from '../../../command-context.ts'
import { Failure } from '../../../failure.ts'
import { isPrivateHost } from '../../../server-url.ts'
import { getRange, reportedSize } from '../../../transfer/get-range.ts'
import { retryAfterOf } from '../../../transfer/rate-limit.ts'
import { filenameInHeader } from '../../../transfer/response-filename.ts'
import { retrying } from './web-request.ts'

type Probe = {
  service: string
  url: URL
  /** Headers that the URL requires, such as a token. They are not sent to another origin. */
  headers: Record<string, string>
  context: Pick<CommandContext, 'agents' | 'signal' | 'output'>
}

export type ProbedFile = { sizeBytes: number; filename: string | undefined }

/**
 * Requests a file to learn its size and name without reading it. Returns undefined if it does not exist. Throws a
 * `Failure` if the URL does not return a file.
 */
export function probeFile({ service, url, headers, context }: Probe): Promise<ProbedFile | undefined> {
  const { agents, signal, output } = context
  const request = { start: 0, headers, follows: followsFrom(url), agents, signal }
  return retrying({ service, output, signal }, async () => {
    const response = await getRange(url.href, request)
    const { statusCode = 0, headers: received } = response
    const sizeBytes = reportedSize(response)
    response.destroy()
    if (statusCode === 404 || statusCode === 410) return { found: undefined }
    if (statusCode === 200)
      return { found: describe(sizeBytes, received['content-type'], received['content-disposition']) }
    const retryAfter = retryAfterOf((name) => received[name]?.toString(), Date.now())
    const isTemporary = statusCode === 429 || statusCode >= 500 || retryAfter !== null
    if (!isTemporary) throw unusable(`responds with HTTP ${statusCode}`)
    return { reason: `${url.host} responded with HTTP ${statusCode}`, retryAfter }
  })
}

function describe(
  sizeBytes: number | undefined,
  type: string | undefined,
  disposition: string | undefined,
): ProbedFile {
  const filename = filenameInHeader(disposition)
  if (/^text\/html\b/i.test(type ?? '') && filename === undefined) throw unusable('is a web page')
  if (sizeBytes === undefined) throw unusable('does not report the size of the file')
  return { sizeBytes, filename }
}

const unusable = (what: string): Failure => new Failure('failed', `Its URL ${what}.`)

/** Returns a rule that a public host may not redirect to a local one, which only this computer may be able to reach. */
export const followsFrom =
  (source: URL) =>
  (target: URL): boolean =>
    isPrivateHost(source.hostname) || !isPrivateHost(target.hostname)

/**
 * Throws unless a URL that a service lists can be downloaded from this computer. A local URL is only requested if the
 * service is local.
 */
export function requireSafeUrl(text: string | null, service: URL): URL {
  if (text === null || !URL.canParse(text, service.href)) throw new Failure('failed', 'It has no valid URL.')
  const url = new URL(text, service)
  if (!/^https?:$/.test(url.protocol))
    throw new Failure('failed', `Its URL starts with ${url.protocol} and not with https:.`)
  if (!followsFrom(service)(url))
    throw new Failure('failed', `Its URL has the local address ${url.host}, which is not requested.`)
  return url
}
