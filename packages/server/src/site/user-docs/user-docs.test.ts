import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { fastify } from 'fastify'
import { userDocs } from './user-docs.ts'

const api = fastify()
await api.register(userDocs('http://localhost:4400', '1.0.0'))
after(() => api.close())

test('serves the documentation with a strict Content-Security-Policy', async () => {
  const { statusCode, headers, body } = await api.inject('/docs')
  assert.equal(statusCode, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'self';/)
  assert.doesNotMatch(String(headers['content-security-policy']), /unsafe/)
  assert.match(body, /<h1 id="quayside-documentation">Quayside documentation<\/h1>/)
})

test('has an icon', async () => {
  assert.match((await api.inject('/docs')).body, /<link rel="icon" href="\/favicon.svg"/)
})

test('finds words that contain any punctuation mark', async () => {
  const { find } = await loadSearch()
  for (const word of ['QUAYSIDE_SECURITY_CONTACT', 'pre-release', '/.well-known/security.txt'])
    assert.ok((await find(word)).includes(word), word)
  for (const mark of '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~') assert.ok(await find(`x${mark}`), mark)
})

/** Runs the search script with the elements that it uses. `find` returns the texts that the results mark, joined by spaces. */
async function loadSearch() {
  const [code, index] = await Promise.all(
    ['/docs/docs.js', '/docs/search.json'].map((url) => api.inject(url)),
  )
  const listeners = new Map<string, () => Promise<void>>()
  let marked: string[] = []
  let shown: (results: string) => void = () => {}
  const element = (properties: object = {}): object => ({
    dataset: { index: '' },
    append: (...parts: unknown[]) => parts.length,
    setAttribute: () => {},
    removeAttribute: () => {},
    addEventListener: () => {},
    ...properties,
  })
  const input = element({
    value: '',
    addEventListener: (name: string, listener: () => Promise<void>) => listeners.set(name, listener),
  }) as { value: string }
  const list = element({ replaceChildren: () => shown([...new Set(marked)].join(' ') || 'none') })
  const search = element({ querySelector: (name: string) => (name === 'input' ? input : list) })
  const createElement = () =>
    Object.defineProperty(element(), 'textContent', {
      set(text: string) {
        marked.push(text)
      },
    })
  runInNewContext(code?.body ?? '', {
    document: {
      ...element(),
      currentScript: element(),
      querySelector: () => search,
      createElement,
    },
    navigator: {},
    fetch: async () => ({ ok: true, json: async () => index?.json() as unknown }),
    Object: { assign: (target: object, values: object) => Object.assign(target, values) },
  })
  return {
    async find(text: string): Promise<string> {
      marked = []
      input.value = text
      const results = new Promise<string>((resolve) => {
        shown = resolve
      })
      await listeners.get('input')?.()
      return results
    },
  }
}

test('returns 304 for a page that the client already has', async () => {
  const { headers } = await api.inject('/docs/get-started')
  const repeated = await api.inject({
    url: '/docs/get-started',
    headers: { 'if-none-match': String(headers.etag) },
  })
  assert.deepEqual([repeated.statusCode, repeated.body], [304, ''])
})

test('returns 404 for pages that do not exist and for paths outside the site', async () => {
  for (const path of ['nothing', 'architecture', '..%2fpackage.json', 'decisions/'])
    assert.equal((await api.inject(`/docs/${path}`)).statusCode, 404, path)
})

test('serves images with a Content-Security-Policy that allows only inline styles', async () => {
  const { headers } = await api.inject('/docs/quayside.svg')
  assert.equal(headers['content-type'], 'image/svg+xml; charset=utf-8')
  assert.equal(headers['content-security-policy'], "default-src 'none'; style-src 'unsafe-inline'")
})
