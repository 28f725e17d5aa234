// A response that no page has used by then is out of date.
const maxAgeMs = 20_000

/**
 * Returns the response that the server has embedded in the document for a GET request to this URL, or undefined. Each can
 * be taken once, so that later requests get current data.
 */
export function takeEmbeddedResponse(serviceUrl: string, url: string): Response | undefined {
  if (!url.startsWith(serviceUrl)) return undefined
  const path = url.slice(serviceUrl.length)
  const element = document.querySelector(`script[data-url="${CSS.escape(path)}"]`)
  if (element === null) return undefined
  element.remove()
  if (performance.now() > maxAgeMs) return undefined
  return new Response(element.textContent, {
    status: Number(element.getAttribute('data-status')),
    headers: { 'content-type': 'application/json' },
  })
}
