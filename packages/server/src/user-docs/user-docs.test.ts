import assert from 'node:assert/strict'
import { after, test } from 'node:test'
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
