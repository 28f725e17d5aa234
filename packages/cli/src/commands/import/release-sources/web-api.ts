import { Failure } from '../../../failure.ts'
import { requestText, StatusError } from './web-request.ts'
import type { WebRequest, WebResponse } from './web-request.ts'

export type WebApiOptions = Omit<WebRequest, 'url'> & {
  /** Base URL of the API, without a slash at the end. */
  base: string
  /** Headers that contain the token. */
  authorization: Record<string, string>
  /** What to check if access is denied, such as `Check GITHUB_TOKEN.` */
  tokenAdvice: string
}

const maxPages = 1000

/** Reads JSON from the API of another service. */
export class WebApi {
  readonly base: string
  readonly #options: WebApiOptions

  constructor(options: WebApiOptions) {
    this.base = options.base
    this.#options = options
  }

  /** Returns the parsed response to a request for a path. Throws a `Failure` unless it succeeds. */
  async json(path: string): Promise<unknown> {
    return this.#parse(await this.#request(new URL(this.base + path)))
  }

  /** Returns what `json` returns, or undefined if the service has nothing there or does not allow to read it. */
  async jsonIfAllowed(path: string): Promise<unknown> {
    try {
      const url = new URL(this.base + path)
      return this.#parse(await requestText(this.#requestTo(url)))
    } catch (error) {
      if (error instanceof StatusError && [401, 403, 404, 410].includes(error.status)) return undefined
      throw error instanceof StatusError ? this.#describe(error) : error
    }
  }

  /** Yields the pages of a list by following the `Link` header. */
  async *pages(path: string): AsyncGenerator {
    const seen = new Set<string>()
    let url: URL | undefined = new URL(this.base + path)
    while (url !== undefined) {
      const { service } = this.#options
      if (seen.has(url.href) || seen.size === maxPages)
        throw new Failure('failed', `The list of ${service} does not end. Check --url.`)
      seen.add(url.href)
      const response: WebResponse = await this.#request(url)
      yield this.#parse(response)
      const next = nextLink(response.headers.get('link'))
      url =
        next !== undefined && URL.canParse(next, response.url.href) ? new URL(next, response.url) : undefined
      if (url !== undefined && url.origin !== new URL(this.base).origin)
        throw new Failure(
          'failed',
          `The list of ${service} continues on ${url.origin}, which is not allowed.`,
        )
    }
  }

  /** Returns the headers for a URL. They contain the token only if the URL has the origin of the API. */
  headersFor(url: URL): Record<string, string> {
    return url.origin === new URL(this.base).origin ? this.#options.authorization : {}
  }

  #requestTo(url: URL): WebRequest {
    const { headers, authorization, ...rest } = this.#options
    return { ...rest, url: () => url, headers: { accept: 'application/json', ...headers, ...authorization } }
  }

  async #request(url: URL): Promise<WebResponse> {
    try {
      return await requestText(this.#requestTo(url))
    } catch (error) {
      throw error instanceof StatusError ? this.#describe(error) : error
    }
  }

  #describe({ status }: StatusError): Failure {
    const { service, tokenAdvice } = this.#options
    if (status === 401) return new Failure('not_allowed', `${service} rejected the token. ${tokenAdvice}`)
    if (status === 403) return new Failure('not_allowed', `${service} denied access. ${tokenAdvice}`)
    if (status === 404)
      return new Failure('failed', `${service} does not have this, or does not show it. ${tokenAdvice}`)
    return new Failure('failed', `${service} responded with HTTP ${status}. ${tokenAdvice}`)
  }

  #parse({ text }: WebResponse): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw new Failure('failed', `A response of ${this.#options.service} is not JSON. Check --url.`)
    }
  }
}

/** Returns the URL of the next page in a Link header, or undefined. */
export function nextLink(header: string | null): string | undefined {
  for (const link of (header ?? '').split(/,(?=\s*<)/)) {
    const [, url, parameters = ''] = /^\s*<([^>]*)>(.*)$/s.exec(link) ?? []
    if (/;\s*rel\s*=\s*"?(?:[^"]*\s)?next(?:\s[^"]*)?"?\s*(?:;|$)/i.test(parameters)) return url
  }
  return undefined
}
