/**
 * Returns whether a client prefers HTML to JSON. Browsers list `text/html` when they open a page; API clients accept
 * JSON or everything.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const weights = new Map<string, number>()
  for (const range of (accept ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    weights.set(type, weight === undefined ? 1 : Number(weight))
  }
  const html = weights.get('text/html') ?? 0
  return html > 0 && html >= (weights.get('application/json') ?? 0)
}

type RequestHead = {
  method?: string | undefined
  headers: { accept?: string | undefined; authorization?: string | undefined }
}

/** Returns whether a browser opens an address or submits a form, so that the response is shown to a person. */
export const isNavigation = ({ method = '', headers: { accept, authorization } }: RequestHead): boolean =>
  ['GET', 'HEAD', 'POST'].includes(method) && authorization === undefined && prefersHtml(accept)

/** Returns whether a browser loads a page that the user may never open. Such a request must have no side effects. */
export const isPrefetch = (headers: Record<string, string | string[] | undefined>): boolean =>
  ['sec-purpose', 'purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(String(headers[name] ?? '')),
  )
