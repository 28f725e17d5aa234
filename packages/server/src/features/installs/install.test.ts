import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { request } from 'undici'
import { groupCalls, groupLink } from '../../../test/distribution-groups.ts'
import { startOwnService, type Service, type Tenant } from '../../../test/harness.ts'
import { missing, run, runText } from '../../../test/inspection/programs.ts'
import {
  createPlistSigner,
  iosCalls,
  localUrl,
  manifestUrl,
  openOnIphone as open,
  secureUrl,
  type uploadIpa,
} from '../../../test/ios-builds.ts'
import { textOf, type OpenedPage } from '../../../test/page-browser.ts'
import {
  textOf as plistText,
  type PlistDictionary,
  type PlistValue,
} from '../../inspection/apple/plist-value.ts'
import { readPlist } from '../../inspection/apple/plist.ts'
import { images } from '../../inspection/images/image.fixture.ts'

/** Decodes an image independently of the encoder. */
function decodeByNetpbm(png: Buffer) {
  const pixels = run('pngtopnm', ['-plain'], png).toString()
  const [, columns, rows, , ...values] = pixels.trim().split(/\s+/).map(Number)
  assert.match(pixels, /^P3\s/)
  const width = columns ?? 0
  const colorOf = (x: number, y: number) =>
    values.slice((Math.floor(y) * width + Math.floor(x)) * 3).slice(0, 3)
  return { width, height: rows, colorOf }
}

describe('installation on iPhones and iPads', { skip: missing('openssl', 'plistutil', 'pngtopnm') }, () => {
  let service: Service
  let tenant: Tenant
  const signer = createPlistSigner()
  const { sign } = signer
  let calls: ReturnType<typeof iosCalls>
  const ipa: ReturnType<typeof iosCalls>['ipa'] = (options) => calls.ipa(options)
  const share: ReturnType<typeof iosCalls>['share'] = (path, fields) => calls.share(path, fields)

  before(async () => {
    service = await startOwnService()
    tenant = await service.tenant()
    calls = iosCalls(service, tenant, sign)
    await service.call('PUT', `/applications/${tenant.applicationId}/icon`, {
      key: tenant.workspaceKey,
      body: { content_type: images.png.type, data: images.png.base64 },
    })
  })
  after(async () => {
    signer[Symbol.dispose]()
    await service.close()
  })

  const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
    request(localUrl(service, url), {
      method,
      headers: { 'user-agent': 'com.apple.appstored/1.0', ...headers },
    })

  /** Repeats a request that a busy service refuses for now. */
  async function patiently<T extends { statusCode: number } | { status: number }>(
    send: () => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const response = await send()
      if (('status' in response ? response.status : response.statusCode) !== 503) return response
    }
  }

  async function manifestOf(page: OpenedPage) {
    const url = manifestUrl(page) ?? assert.fail(textOf(page))
    const response = await patiently(() => get(url))
    assert.equal(response.statusCode, 200)
    const bytes = Buffer.from(await response.body.arrayBuffer())
    const [item] = readPlist(bytes).get('items') as PlistDictionary[]
    const assets = item!.get('assets') as PlistDictionary[]
    const packageUrl = plistText(assets[0]!, 'url') ?? ''
    return { url, bytes, response, assets, metadata: item!.get('metadata') as PlistDictionary, packageUrl }
  }

  describe('manifest', () => {
    let manifest: Awaited<ReturnType<typeof manifestOf>>
    let uploaded: Awaited<ReturnType<typeof uploadIpa>>
    before(async () => {
      uploaded = await ipa()
      manifest = await manifestOf(await open((await share(uploaded.path)).url))
    })

    const asset = (kind: string): PlistDictionary =>
      manifest.assets.find((each) => each.get('kind') === kind) ?? assert.fail(kind)
    const keys: Record<string, () => [PlistValue | undefined, unknown]> = {
      'bundle-identifier': () => [manifest.metadata.get('bundle-identifier'), 'com.example.quay'],
      'bundle-version': () => [manifest.metadata.get('bundle-version'), '3.2.1'],
      kind: () => [manifest.metadata.get('kind'), 'software'],
      title: () => [manifest.metadata.get('title'), `App ${tenant.workspaceId}`],
      subtitle: () => [manifest.metadata.get('subtitle'), 'Example <Ltd>'],
      'platform-identifier': () => [
        manifest.metadata.get('platform-identifier'),
        'com.apple.platform.iphoneos',
      ],
      'software-package': () => [manifest.assets[0]!.get('kind'), 'software-package'],
      'sha256-size': () => [asset('software-package').get('sha256-size'), uploaded.bytes.length],
      sha256s: () => [
        asset('software-package').get('sha256s'),
        [createHash('sha256').update(uploaded.bytes).digest('hex')],
      ],
    }
    for (const [key, values] of Object.entries(keys))
      test(`states ${key}`, () => {
        const [actual, expected] = values()
        assert.deepEqual(actual, expected)
      })

    test('states an HTTPS URL of the package with the grant in its path', () => {
      assert.match(
        manifest.packageUrl,
        new RegExp(`^${secureUrl}/i/s\\.[^/?]+/Quay%20%26%20S%C3%B6hne\\.ipa$`),
      )
    })

    for (const [kind, side] of Object.entries({ 'display-image': 57, 'full-size-image': 512 }))
      test(`links to a ${kind} of ${side} × ${side} pixels`, async () => {
        const response = await patiently(() => get(plistText(asset(kind), 'url') ?? ''))
        assert.equal(response.headers['content-type'], 'image/png')
        const png = Buffer.from(await response.body.arrayBuffer())
        const { width, height, colorOf } = decodeByNetpbm(png)
        assert.deepEqual([width, height], [side, side])
        // The icon is 40 × 24 pixels, so there is white above and below it.
        assert.deepEqual(colorOf(side / 2, 2), [255, 255, 255])
        assert.notDeepEqual(colorOf(side / 2, side / 2), [255, 255, 255])
      })

    test('is XML that libplist and our own reader read alike', () => {
      assert.match(String(manifest.response.headers['content-type']), /^text\/xml/)
      assert.equal(manifest.response.headers['cache-control'], 'no-store')
      const printed = runText('plistutil', ['-f', 'xml', '-i', '-', '-o', '-'], manifest.bytes)
      assert.deepEqual(readPlist(Buffer.from(printed)), readPlist(manifest.bytes))
    })
  })

  test('counts only the first request that includes the first byte', async () => {
    const { path, bytes } = await ipa()
    const { url, count } = await share(path, { max_downloads: 1 })
    const { packageUrl } = await manifestOf(await open(url))
    const head = await get(packageUrl, {}, 'HEAD')
    assert.deepEqual(
      [head.statusCode, head.headers['content-length'], head.headers['accept-ranges'], head.headers.location],
      [200, String(bytes.length), 'bytes', undefined],
    )
    const prefetch = await get(packageUrl, { 'sec-purpose': 'prefetch' })
    assert.deepEqual([prefetch.statusCode, prefetch.headers.location], [409, undefined])
    await prefetch.body.dump()
    for (const range of ['bytes=1-', 'bytes=100-199', 'bytes=-10', 'bytes=5-6,7-8'])
      assert.equal((await get(packageUrl, { range })).statusCode, 409, range)
    assert.equal(await count(), 0)
    const first = await get(packageUrl)
    assert.equal(first.statusCode, 302)
    const file = await fetch(String(first.headers.location))
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), bytes)
    assert.equal(file.headers.get('content-length'), String(bytes.length))
    assert.equal(await count(), 1)
    for (const range of [undefined, 'bytes=100-', 'bytes=-10', 'bytes=0-'])
      assert.equal((await get(packageUrl, range === undefined ? {} : { range })).statusCode, 302)
    assert.equal(await count(), 1)
    assert.equal((await open(url)).status, 410)
  })

  test('lets exactly as many people install as the link allows', async () => {
    const { path } = await ipa()
    const { url, count } = await share(path, { max_downloads: 50 })
    const pages = await Promise.all(Array.from({ length: 200 }, () => patiently(() => open(url))))
    const outcomes = await Promise.all(
      pages.map(async (page, index) => {
        const url = manifestUrl(page) ?? assert.fail(textOf(page))
        const packageUrl = url.replace('manifest.plist', 'Quay.ipa')
        const uncounted = [
          get(packageUrl, {}, 'HEAD'),
          get(packageUrl, { purpose: 'prefetch' }),
          ...(index % 2 === 0 ? [get(packageUrl, { range: 'bytes=10-' })] : []),
        ]
        const counted = ['bytes=0-', 'bytes=0-99'].map((range) => patiently(() => get(packageUrl, { range })))
        const [first, second] = await Promise.all(counted)
        await Promise.all(uncounted)
        assert.equal(first?.statusCode, second?.statusCode)
        return first?.statusCode
      }),
    )
    assert.equal(outcomes.filter((status) => status === 302).length, 50)
    assert.deepEqual(new Set(outcomes), new Set([302, 410]))
    assert.equal(await count(), 50)
  })

  test('installs for half an hour and stops when the grant expires', async (context) => {
    const { path } = await ipa()
    const { packageUrl, url } = await manifestOf(await open((await share(path)).url))
    const { clock } = service.deps
    const now = clock.now().getTime()
    for (const [minutes, status] of [
      [45, 302],
      [5 * 60, 302],
      [7 * 60, 410],
    ] as const) {
      const mock = context.mock.method(clock, 'now', () => new Date(now + minutes * 60_000))
      assert.equal((await get(packageUrl)).statusCode, status, `${minutes} minutes`)
      assert.equal((await get(url)).statusCode, status === 302 ? 200 : 410)
      mock.mock.restore()
    }
  })

  test('applies revocation, expiry, deletion and a new password at once', async () => {
    const { path, id } = await calls.upload()
    const change = (linkId: string, body: object) =>
      service.call('PATCH', `/share-links/${linkId}`, { key: tenant.applicationKey, body })
    const link = await share(path)
    const { packageUrl, url } = await manifestOf(await open(link.url))
    await get(packageUrl)
    await change(link.id, { is_active: false })
    assert.deepEqual([(await get(packageUrl)).statusCode, (await get(url)).statusCode], [410, 410])
    await change(link.id, { is_active: true })
    assert.equal((await get(packageUrl)).statusCode, 302)
    await change(link.id, { password: 'secret' })
    assert.equal((await get(packageUrl)).statusCode, 410)
    const other = await share(path)
    const second = await manifestOf(await open(other.url))
    await service.deps.db
      .updateTable('share_links')
      .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
      .where('id', '=', other.id)
      .execute()
    assert.equal((await get(second.packageUrl)).statusCode, 410)
    const third = await manifestOf(await open((await share(path)).url))
    await service.call('DELETE', `/applications/${tenant.applicationId}/builds/${id}?force=true`, {
      key: tenant.workspaceKey,
    })
    assert.equal((await get(third.url)).statusCode, 404)
  })

  test('rejects changed grants and paths that do not exist', async () => {
    const { path } = await ipa()
    const { url } = await manifestOf(await open((await share(path)).url))
    const [, grant = ''] = /\/i\/([^/]+)\//.exec(url) ?? []
    const parts = grant.split('.')
    const changed = parts.map((part, index) =>
      [
        ...parts.slice(0, index),
        part.replace(/^./, (c) => (c === 'a' ? 'b' : 'a')),
        ...parts.slice(index + 1),
      ].join('.'),
    )
    for (const text of [...changed.filter((each) => each !== grant), `g${grant.slice(1)}`, 'x', 's.'])
      for (const name of ['manifest.plist', 'app.ipa'])
        assert.equal((await get(`${secureUrl}/i/${text}/${name}`)).statusCode, 404, text)
    for (const name of ['', '/', `/${grant}`, `/${grant}/`, `/${grant}/a/b`, '/%00'])
      assert.equal((await get(`${secureUrl}/i${name}`)).statusCode, 404, name)
  })

  test('records an installation through a group link for its recipient', async () => {
    const { id } = await ipa()
    const groups = groupCalls(service, tenant)
    const email = 'ana@example.com'
    const group = await groups.group([email])
    await groups.share(group, await groups.release([id]))
    const link = localUrl(
      service,
      (await groupLink(service, tenant, email)).replace(/^http:\/\/[^/]+/, secureUrl),
    )
    const { packageUrl } = await manifestOf(await open(link))
    assert.equal((await get(packageUrl)).statusCode, 302)
    assert.equal((await get(packageUrl)).statusCode, 302)
    const { body } = await groups.send('GET', `/${group}/downloads`)
    assert.deepEqual(
      body.data.map((download: { email: string }) => download.email),
      [email],
    )
    const listed = `/applications/${tenant.applicationId}/downloads?distribution_group_id=${group}`
    const { data } = (await service.call('GET', listed, { key: tenant.workspaceKey })).body
    assert.deepEqual(
      data.map((download: { is_install: boolean }) => download.is_install),
      [true],
    )
    await groups.send('PATCH', `/${group}`, { is_active: false })
    assert.equal((await get(packageUrl)).statusCode, 410)
  })
})
