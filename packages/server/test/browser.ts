import { parseJson } from './declared-responses.ts'

export type Browser = ReturnType<typeof createBrowser>

type Cookie = { value: string; attributes: string }
type RequestOptions = { body?: unknown; headers?: Record<string, string> }

/**
 * Creates a client that keeps cookies and sends the `Origin` header with writes, as a page of the console does.
 * `address` is the address that the trusted proxy reports.
 */
export function createBrowser(url: string, { address }: { address?: string } = {}) {
  const cookies = new Map<string, Cookie>()

  async function request(method: string, path: string, { body, headers = {} }: RequestOptions = {}) {
    const jar = [...cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
    const response = await fetch(path.startsWith('http') ? path : `${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(jar === '' ? {} : { cookie: jar }),
        ...(method === 'GET' ? {} : { origin: url }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(address === undefined ? {} : { 'x-forwarded-for': address }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const header of response.headers.getSetCookie()) store(header)
    const text = await response.text()
    // The body is not typed, because tests assert the shape they expect.
    // oxlint-disable-next-line typescript/no-explicit-any
    const parsed: any = parseJson(text)
    return { status: response.status, headers: response.headers, body: parsed, text }
  }

  function store(header: string): void {
    const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/s.exec(header) ?? []
    if (value === '' || /max-age=0(;|$)/i.test(attributes)) cookies.delete(name)
    else cookies.set(name, { value, attributes })
  }

  return {
    cookies,
    request,
    get: (path: string, options?: RequestOptions) => request('GET', path, options),
    post: (path: string, body: unknown = {}, options?: RequestOptions) =>
      request('POST', path, { ...options, body }),
    /** Signs in with a password. */
    signIn: (email: string, password: string) =>
      request('POST', '/api/auth/sign-in/email', { body: { email, password } }),
    /** Returns whether the session of the browser is valid. */
    isSignedIn: async () => (await request('GET', '/api/auth/sessions')).status === 200,
  }
}
