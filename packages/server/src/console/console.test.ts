import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { webConsole } from './console.ts'

const navigation = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-mode': 'navigate' }
const script = 'console.log("a script that is long enough to be compressed")'

async function writeBuild(folder: string, name: string): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><html><head><meta property="csp-nonce" nonce="CSP_NONCE"><title>${name}</title></head></html>`,
  )
  await writeFile(join(folder, 'assets/main.js'), script)
  await writeFile(join(folder, 'assets/main.js.br'), brotliCompressSync(script))
}

describe('the console', () => {
  let folder: string
  let api: FastifyInstance
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quayside-console-'))
    await writeBuild(folder, 'first')
    api = Fastify()
    api.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: 'Not found.' }))
    await api.register(
      webConsole('https://example.com/builds & more', {
        folder,
        listStorageOrigins: async () => ['https://s3.example.com'],
      }),
    )
  })
  after(async () => {
    await api.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('serves its page for every path that belongs to nothing else', async () => {
    for (const url of ['/', '/applications/x/builds/y?tab=files', '/sign-in', '/invitations/a.b']) {
      const { statusCode, body, headers } = await api.inject({ url, headers: navigation })
      assert.equal(statusCode, 200, url)
      assert.match(body, /<title>first<\/title>/)
      assert.match(body, /<base href="\/builds%20&amp;%20more\/" \/>/)
      assert.equal(headers['cache-control'], 'no-store')
    }
  })

  test('returns 404 for unknown paths of the API and for programs', async () => {
    for (const url of ['/api/v1/nothing', '/api', '/storage/x', '/docs/x', '/assets/old.js', '/cli/x'])
      assert.equal((await api.inject({ url, headers: navigation })).statusCode, 404, url)
    assert.equal((await api.inject({ url: '/applications/x' })).statusCode, 404)
  })

  test('allows no inline script and a new nonce for styles in every response', async () => {
    const policies = new Set<string>()
    for (let count = 0; count < 3; count++) {
      const { body, headers } = await api.inject({ url: '/', headers: navigation })
      const policy = String(headers['content-security-policy'])
      const [, nonce = ''] = /style-src 'self' 'nonce-([^']+)'/.exec(policy) ?? []
      assert.ok(nonce.length >= 24 && body.includes(`nonce="${nonce}"`), policy)
      assert.match(policy, /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/)
      assert.match(policy, /connect-src 'self' https:\/\/s3\.example\.com;/)
      assert.doesNotMatch(policy, /unsafe/)
      policies.add(policy)
    }
    assert.equal(policies.size, 3)
  })

  test('serves files compressed and lets browsers keep those with a hash in their names', async () => {
    const { rawPayload, headers } = await api.inject({
      url: '/assets/main.js',
      headers: { 'accept-encoding': 'br, gzip' },
    })
    assert.equal(headers['content-encoding'], 'br')
    assert.equal(brotliDecompressSync(rawPayload).toString(), script)
    assert.match(String(headers['cache-control']), /immutable/)
    const plain = await api.inject({ url: '/assets/main.js' })
    assert.equal(plain.body, script)
    assert.equal(plain.headers['content-encoding'], undefined)
  })

  test('serves no file outside its folder and no compressed copy by its own name', async () => {
    for (const url of [
      '/../console.ts',
      '/assets/..%2f..%2fpackage.json',
      '/assets/main.js.br',
      '/index.html',
    ])
      assert.equal((await api.inject({ url })).statusCode, 404, url)
  })

  test('serves the latest build without a restart', async () => {
    await writeBuild(folder, 'second')
    const later = new Date(Date.now() + 5_000)
    await utimes(join(folder, 'index.html'), later, later)
    assert.match((await api.inject({ url: '/', headers: navigation })).body, /<title>second<\/title>/)
  })

  test('names the command that builds it if it is not built', async () => {
    const other = Fastify()
    await other.register(webConsole('http://localhost:4400', { folder: join(folder, 'missing') }))
    const { statusCode, body } = await other.inject({ url: '/', headers: navigation })
    assert.equal(statusCode, 503)
    assert.match(body, /npm run build/)
    await other.close()
  })
})
