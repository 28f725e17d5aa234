import assert from 'node:assert/strict'
import { request } from 'undici'

/** The `Accept` header of Chromium when it opens a page. */
const acceptHtml = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

export const userAgents = {
  android: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
  ios: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1',
  linux: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  macos: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15',
  windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
}

export type OpenedPage = {
  url: string
  status: number
  headers: Record<string, string | string[] | undefined>
  setCookies: string[]
  /** The absolute URL of a redirect. */
  location: string | undefined
  text: string
  forms: Form[]
}
type Form = { method: string; action: string; fields: Record<string, string>; label: string }

/** Creates a browser without scripts: it keeps cookies, follows redirects to pages and submits forms. */
export function createBrowser(userAgent: string = userAgents.linux) {
  const cookies = new Map<string, { value: string; path: string }>()

  async function send(
    method: string,
    url: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<OpenedPage> {
    const { pathname } = new URL(url)
    const sent = [...cookies].filter(
      ([, { path }]) => path === '/' || pathname === path || pathname.startsWith(`${path}/`),
    )
    const response = await request(url, {
      method,
      headers: {
        accept: acceptHtml,
        'user-agent': userAgent,
        ...(sent.length === 0
          ? {}
          : { cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; ') }),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    const setCookies = [response.headers['set-cookie'] ?? []].flat()
    for (const line of setCookies) {
      const [, name = '', value = '', path = '/'] = /^([^=]+)=([^;]*).*; Path=([^;]*)/.exec(line) ?? []
      cookies.set(name, { value, path })
    }
    const text = await response.body.text()
    const { location } = response.headers
    return {
      url,
      status: response.statusCode,
      headers: response.headers,
      setCookies,
      location: location === undefined ? undefined : new URL(String(location), url).href,
      text,
      forms: formsOf(text, url),
    }
  }

  return {
    cookies,
    open: (url: string, headers?: Record<string, string>) => send('GET', url, headers),
    head: (url: string) => send('HEAD', url),
    /**
     * Submits the form whose button has this label, with the values that a person enters. Throws if the policy of the page
     * forbids the redirect.
     */
    async submit(page: OpenedPage, label: string, entered: Record<string, string> = {}) {
      const form = page.forms.find((candidate) => candidate.label === label)
      assert.ok(form, `no button "${label}" on ${page.url}: ${page.text.slice(0, 2000)}`)
      const body = new URLSearchParams({ ...form.fields, ...entered }).toString()
      const response = await send(form.method, form.action, {}, body)
      if (response.location !== undefined) assertFormAction(page, response.location)
      return response
    },
    post: (url: string, fields: Record<string, string>) =>
      send('POST', url, {}, new URLSearchParams(fields).toString()),
  }
}

/** Throws unless the policy of the page allows its forms to redirect to a URL. Chromium would block the redirect. */
function assertFormAction({ url, headers }: OpenedPage, location: string): void {
  const policy = String(headers['content-security-policy'])
  const [, sources = ''] = /(?:^|; )form-action ([^;]*)/.exec(policy) ?? []
  const origins = sources.split(' ').map((source) => (source === "'self'" ? new URL(url).origin : source))
  assert.ok(origins.includes(new URL(location).origin), `${url} may not redirect to ${location}: ${policy}`)
}

const plain = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Returns the text that a visitor reads on a page. */
export const textOf = ({ text }: { text: string }): string => plain(text.replace(/<head>.*<\/head>/s, ''))

function formsOf(text: string, url: string): Form[] {
  return [...text.matchAll(/<form[^>]*method="(\w+)"[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, method = '', action = '', content = '']) => ({
      method: method.toUpperCase(),
      action: new URL(action, url).href,
      fields: Object.fromEntries(
        [...content.matchAll(/<input\s+type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g)].map(
          ([, name = '', value = '']) => [name, plain(value)],
        ),
      ),
      label:
        /<button[^>]*aria-label="([^"]*)"/.exec(content)?.[1] ??
        plain(/<button.*?<\/button>/s.exec(content)?.[0] ?? ''),
    }),
  )
}
