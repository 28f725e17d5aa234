import assert from 'node:assert/strict'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { navigation, script, startConsole, writeBuild } from './console.fixture.ts'
import { webConsole } from './console.ts'
import { readFirstLoads } from './first-loads.ts'

describe('the console', () => {
  let folder: string
  let api: FastifyInstance
  let close: () => Promise<void>
  before(async () => {
    ;({ folder, api, close } = await startConsole())
  })
  after(() => close())

  test('serves its page at every path of its router', async () => {
    for (const url of [
      '/',
      '/?a=b',
      '/applications/x/builds/y?tab=files',
      '/sign-in',
      '/Sign-In/',
      '/s%69gn-in',
      '/invitations/a.b',
    ]) {
      const { statusCode, body, headers } = await api.inject({ url, headers: navigation })
      assert.equal(statusCode, 200, url)
      assert.match(body, /<title>first<\/title>/)
      assert.match(body, /<base href="\/builds%20&amp;%20more\/" \/>/)
      assert.equal(headers['cache-control'], 'no-store')
    }
  })

  test('serves its page to programs that accept everything, and only headers for HEAD', async () => {
    for (const headers of [{}, { accept: '*/*' }, { accept: 'text/*;q=0.5' }]) {
      const { statusCode, body } = await api.inject({ url: '/applications/x/builds/y', headers })
      assert.equal(statusCode, 200, JSON.stringify(headers))
      assert.match(body, /<title>first<\/title>/)
      const head = await api.inject({ method: 'HEAD', url: '/applications/x/builds/y', headers })
      assert.deepEqual([head.statusCode, head.body], [200, ''])
      assert.match(String(head.headers['content-type']), /^text\/html/)
    }
    for (const accept of ['application/json', 'application/json, text/plain, */*', 'text/html;q=0, image/*'])
      assert.equal((await api.inject({ url: '/sign-in', headers: { accept } })).statusCode, 404, accept)
  })

  test('returns 404 to everyone for a path that its router does not know', async () => {
    for (const url of [
      '/nothing',
      '/portals/x',
      '/applications',
      '/applications//builds/y',
      '//sign-in',
      '/wp-login.php',
      '/.env',
    ])
      for (const accept of ['text/html', '*/*', 'application/json'])
        for (const method of ['GET', 'HEAD'] as const)
          assert.equal(
            (await api.inject({ method, url, headers: { ...navigation, accept } })).statusCode,
            404,
            `${method} ${url} ${accept}`,
          )
  })

  test('lets browsers load the files of a page at once', async () => {
    const { body } = await api.inject({ url: '/applications/abc?tab=files', headers: navigation })
    assert.match(body, /<link rel="modulepreload" crossorigin href=".\/assets\/builds.js"/)
    assert.match(body, /<link rel="modulepreload" crossorigin href=".\/assets\/files.js"/)
    assert.doesNotMatch(body, /new\.js/)
  })

  test('has no page at a URL that is not valid', async () => {
    const findFirstLoad = await readFirstLoads(folder)
    for (const url of ['//[', '//evil.example:99999/', '/%', '/%/'])
      assert.equal(findFirstLoad(url), undefined, url)
  })

  test('compresses its page and masks the length of what it embeds', async () => {
    const lengths = new Set<number>()
    for (let count = 0; count < 20; count++) {
      const { rawPayload, headers } = await api.inject({
        url: `/?load=/api/v1/applications/abc${count}`,
        headers: { ...navigation, cookie: 'session=1', 'accept-encoding': 'gzip' },
      })
      assert.equal(headers['content-encoding'], 'gzip')
      const body = gunzipSync(rawPayload).toString()
      assert.match(body, /id="preview"/)
      lengths.add(/<!-- ([0-9a-f]*) -->/.exec(body)?.[1]?.length ?? -1)
    }
    assert.ok(lengths.size > 5 && !lengths.has(-1), String([...lengths]))
  })

  test('returns 404 for unknown paths of the API and for programs', async () => {
    for (const url of ['/api/v1/nothing', '/api', '/storage/x', '/docs/x', '/assets/old.js', '/cli/x'])
      assert.equal((await api.inject({ url, headers: navigation })).statusCode, 404, url)
    assert.equal(
      (await api.inject({ url: '/applications/x', headers: { accept: 'application/json' } })).statusCode,
      404,
    )
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
      '/preview/preview-abc.mjs',
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
