/**
 * Returns whether a client prefers HTML to JSON. Browsers list `text/html` when they open a page; API clients accept
 * JSON or everything.
 */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/html/i.test(accept)) return false
  const weights = weightsOf(accept)
  const html = weights.get('text/html') ?? 0
  return html > 0 && html >= (weights.get('application/json') ?? 0)
}

/** Returns whether a client that opens a page gets HTML: it accepts HTML or everything, and does not prefer JSON. */
export function acceptsHtml(accept: string | undefined): boolean {
  const weights = weightsOf(accept)
  if (accept === undefined || accept.trim() === '' || prefersHtml(accept)) return true
  return ['text/*', '*/*'].some((range) => (weights.get(range) ?? 0) > 0) && !weights.has('application/json')
}

function weightsOf(accept: string | undefined): Map<string, number> {
  const weights = new Map<string, number>()
  for (const range of (accept ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    weights.set(type, weight === undefined ? 1 : Number(weight))
  }
  return weights
}

type RequestHead = {
  method?: string | undefined
  headers: {
    accept?: string | undefined
    authorization?: string | undefined
    'user-agent'?: string | undefined
  }
}

/** Returns whether a browser opens an address or submits a form, so that the response is shown to a person. */
export function isNavigation({ method = '', headers }: RequestHead): boolean {
  if (headers.authorization !== undefined) return false
  if (prefersHtml(headers.accept)) return ['GET', 'HEAD', 'POST'].includes(method)
  return ['GET', 'HEAD'].includes(method) && isPreviewer(headers) && acceptsHtml(headers.accept)
}

// The services that draw a preview of a link in a chat accept everything, as API clients do. WhatsApp and iMessage
// contain one of these names too.
const previewers =
  /facebookexternalhit|Twitterbot|Slackbot|Discordbot|TelegramBot|WhatsApp|LinkedInBot|SkypeUriPreview|Mattermost|Rocket\.Chat|Zulip|Synapse|Mastodon/

const isPreviewer = (headers: RequestHead['headers']): boolean =>
  previewers.test(headers['user-agent']?.slice(0, 500) ?? '')

/** Returns whether a browser loads a page that the user may never open. Such a request must have no side effects. */
export const isPrefetch = (headers: Record<string, string | string[] | undefined>): boolean =>
  ['sec-purpose', 'purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(String(headers[name] ?? '')),
  )
