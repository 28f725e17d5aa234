import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { images } from '../../inspection/images/image.fixture.ts'
import { sweepOrphanedBytes } from '../uploads/sweep-orphans.job.ts'
import { storeIcon } from './icon.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { key: tenant.workspaceKey, body })

const iconOf = (image: { type: string; base64: string }) => ({
  content_type: image.type,
  data: image.base64,
})

const bytesOf = async (url: string) => {
  const response = await fetch(url)
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

const create = async (path: string, body: unknown) => (await send('POST', path, body)).body.data.id as string
const target = { name: 'kiosk', platform: 'linux' }

/** Each icon owner, with the path that sets the icon, the path that reads the owner, and the icon URL field. */
const owners: [string, () => Promise<{ path: string; read: string; field: string; id: string }>][] = [
  [
    'an application icon',
    async () => {
      const read = `/applications/${tenant.applicationId}`
      return { path: `${read}/icon`, read, field: 'icon_url', id: tenant.applicationId }
    },
  ],
  [
    'a portal icon',
    async () => {
      const id = await create('/portals', { name: 'Portal' })
      return { path: `/portals/${id}/icon`, read: `/portals/${id}`, field: 'icon_url', id }
    },
  ],
  [
    'the workspace logo',
    async () => ({ path: '/workspace/logo', read: '/workspace', field: 'logo_url', id: tenant.workspaceId }),
  ],
  [
    'the icon of a workspace custom target',
    async () => {
      const id = await create('/workspace/custom-targets', target)
      const read = `/workspace/custom-targets/${id}`
      return { path: `${read}/icon`, read, field: 'icon_url', id }
    },
  ],
  [
    'the icon of an application custom target',
    async () => {
      const path = `/applications/${tenant.applicationId}/custom-targets`
      const id = await create(path, target)
      return { path: `${path}/kiosk/icon`, read: `${path}/${id}`, field: 'icon_url', id }
    },
  ],
]

for (const [icon, createOwner] of owners) {
  test(`sets, serves, replaces and deletes ${icon}`, async () => {
    const { path, read, field, id } = await createOwner()
    const url = async () => (await send('GET', read)).body.data[field] as string | null
    assert.equal(await url(), null)

    const set = await send('PUT', path, iconOf(images.png))
    assert.equal(set.status, 200, set.text)
    const first = (await url())!
    assert.equal(set.body.data[field], first)
    assert.ok(first.startsWith(`${service.url}/api/v1/public/icons/`))
    const served = await bytesOf(first)
    assert.equal(served.status, 200)
    assert.deepEqual(served.bytes, Buffer.from(images.png.base64, 'base64'))
    assert.equal(served.headers.get('content-type'), 'image/png')

    const replaced = await send('PUT', path, iconOf(images.extendedWebp))
    const second = replaced.body.data[field] as string
    assert.notEqual(second, first)
    assert.equal((await bytesOf(second)).headers.get('content-type'), 'image/webp')
    assert.equal((await bytesOf(first)).status, 404)
    const entry = await auditEntry(service, id)
    assert.match(entry.action, /\.(icon|logo)_replaced$/)
    assert.deepEqual([Object.values(entry.before!), Object.values(entry.after!)], [[first], [second]])

    assert.equal((await send('DELETE', path)).status, 200)
    assert.equal(await url(), null)
    assert.equal((await bytesOf(second)).status, 404)
    assert.match((await auditEntry(service, id)).action, /\.(icon|logo)_deleted$/)
    assert.equal((await send('DELETE', path)).status, 200)
    const objects = await service.deps.db
      .selectFrom('stored_objects')
      .select('deleted_at')
      .where(
        'key',
        'in',
        [first, second].map((each) => each.split('/').at(-1)!),
      )
      .execute()
    assert.deepEqual(
      objects.map(({ deleted_at }) => deleted_at !== null),
      [true, true],
    )
  })
}

test('serves an icon with its content type, security headers and immutable caching', async () => {
  const set = await send('PUT', '/workspace/logo', iconOf(images.jpeg))
  const { headers } = await bytesOf(set.body.data.logo_url)
  assert.equal(headers.get('content-type'), 'image/jpeg')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.match(headers.get('content-security-policy') ?? '', /sandbox/)
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
  const tag = headers.get('etag') ?? ''
  const again = await fetch(set.body.data.logo_url, { headers: { 'if-none-match': tag } })
  assert.deepEqual([again.status, (await again.arrayBuffer()).byteLength], [304, 0])
  const head = await fetch(set.body.data.logo_url, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'image/jpeg'])
})

test('returns the same 404 for the key of a build file, an altered icon ID and an unknown ID', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const { object_key } = await service.deps.db
    .selectFrom('files')
    .select('object_key')
    .where('build_id', '=', build.id)
    .executeTakeFirstOrThrow()
  const icon = (await send('PUT', '/workspace/logo', iconOf(images.png))).body.data.logo_url as string
  const key = icon.split('/').at(-1)!
  const responses = await Promise.all(
    [object_key, key.toUpperCase(), `${key}.png`, 'nothing'].map((id) =>
      service.call('GET', `/public/icons/${id}`, { key: null }),
    ),
  )
  for (const { status, body } of responses)
    assert.deepEqual([status, { ...body, request_id: '' }], [404, { ...responses[0]!.body, request_id: '' }])
})

test('keeps and serves only one of twenty icons that are set concurrently', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send('PUT', '/workspace/logo', sized(16 + n, 16))),
  )
  for (const { status, text } of responses) assert.equal(status, 200, text)
  const urls = responses.map(({ body }) => body.data.logo_url as string)
  const current = (await send('GET', '/workspace')).body.data.logo_url as string
  const statuses = await Promise.all(urls.map(async (url) => [url, (await bytesOf(url)).status]))
  assert.deepEqual(
    statuses,
    urls.map((url) => [url, url === current ? 200 : 404]),
  )
})

const png = Buffer.from(images.png.base64, 'base64')
const sized = (width: number, height: number) => {
  const bytes = Buffer.from(images.losslessWebp.base64, 'base64')
  bytes.writeUInt32LE((bytes.readUInt32LE(21) & 0xf0000000) | (width - 1) | ((height - 1) << 14), 21)
  return { content_type: 'image/webp', data: bytes.toString('base64') }
}

for (const [flaw, body, field] of [
  ['whose data does not match content_type', { ...iconOf(images.png), content_type: 'image/webp' }, 'data'],
  ['in SVG format', { content_type: 'image/svg+xml', data: btoa('<svg/>') }, 'content_type'],
  ['whose data is HTML', { content_type: 'image/png', data: btoa('<script>alert(1)</script>') }, 'data'],
  [
    'whose data is truncated',
    { content_type: 'image/png', data: png.subarray(0, -3).toString('base64') },
    'data',
  ],
  [
    'whose data is not valid base64',
    { content_type: 'image/png', data: `${images.png.base64.slice(0, -4)}!%$?` },
    'data',
  ],
  ['whose data is empty', { content_type: 'image/png', data: '' }, 'data'],
  ['without data', { content_type: 'image/png' }, 'data'],
  ['that is 15 pixels wide', sized(15, 16), 'data'],
  ['that is 2049 pixels high', sized(16, 2049), 'data'],
  [
    'larger than 512 KiB',
    { content_type: 'image/png', data: Buffer.concat([png, randomBytes(512 * 1024)]).toString('base64') },
    'data',
  ],
] as const) {
  test(`rejects an icon ${flaw} and keeps the current icon`, async () => {
    const before = (await send('GET', '/workspace')).body.data.logo_url
    const response = await send('PUT', '/workspace/logo', body)
    assert.equal(response.status, 422, response.text)
    assert.ok(field in response.body.errors, response.text)
    assert.equal((await send('GET', '/workspace')).body.data.logo_url, before)
  })
}

for (const [width, height] of [
  [16, 16],
  [2048, 16],
] as const) {
  test(`accepts a ${width} × ${height} pixel icon whose base64 data contains line breaks`, async () => {
    const icon = sized(width, height)
    const data = icon.data.replaceAll(/.{20}/g, '$&\r\n')
    assert.equal((await send('PUT', '/workspace/logo', { ...icon, data })).status, 200)
  })
}

test('stops serving the icon of a deleted portal or custom target', async () => {
  for (const [list, fields] of [
    ['/portals', { name: 'Gone' }],
    ['/workspace/custom-targets', { name: 'gone', platform: 'linux' }],
  ] as const) {
    const id = await create(list, fields)
    const url = (await send('PUT', `${list}/${id}/icon`, iconOf(images.png))).body.data.icon_url as string
    assert.equal((await send('DELETE', `${list}/${id}`)).status, 200)
    assert.equal((await bytesOf(url)).status, 404)
  }
})

test('deletes orphaned icon files from storage but keeps icons that are in use', async () => {
  const url = (await send('PUT', '/workspace/logo', iconOf(images.png))).body.data.logo_url as string
  const { storage, clock } = service.deps
  const { object } = await storeIcon(service.deps, { ...iconOf(images.png), content_type: 'image/png' })
  const later = new Date(clock.now().getTime() + 60_000)
  const keys = async () => {
    const found: string[] = []
    for await (const { key } of storage.listKeys({ unchangedSince: later })) found.push(key)
    return found
  }
  assert.ok((await keys()).includes(object.key))
  const storageLater = { ...storage, listKeys: () => storage.listKeys({ unchangedSince: later }) }
  await sweepOrphanedBytes({ ...service.deps, storage: storageLater })
  assert.ok(!(await keys()).includes(object.key))
  assert.equal((await bytesOf(url)).status, 200)
})

test('rejects changes to the icon of a workspace custom target through an application endpoint', async () => {
  const id = await create('/workspace/custom-targets', { name: 'common', platform: 'linux' })
  const path = `/applications/${tenant.applicationId}/custom-targets/${id}/icon`
  const response = await send('PUT', path, iconOf(images.png))
  assert.deepEqual([response.status, response.body.code], [409, 'custom_target.of_workspace'])
})

test('includes the icon URL of a custom target in builds for that target', async () => {
  const path = `/applications/${tenant.applicationId}/custom-targets`
  const id = await create(path, { name: 'shown', platform: 'linux' })
  const { icon_url } = (await send('PUT', `${path}/${id}/icon`, iconOf(images.png))).body.data
  const { build } = await uploadedBuild(service, tenant, { custom_target: 'shown' })
  assert.equal(build.custom_target.icon_url, icon_url)
})
