import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SaxesParser } from 'saxes'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { releaseCalls } from '../../../test/releases.ts'
import { uploadedBuild, versionOf } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant
let stream: { id: string; name: string }

before(async () => {
  service = await startService()
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { key: tenant.workspaceKey, body })

/** Uploads a build to an application of its own, and publishes it in a release. */
async function publishedBuild(version: object = versionOf(2, 14)) {
  tenant = await service.tenant()
  stream = (await send('GET', `/applications/${tenant.applicationId}/streams`)).body.data[0]
  const fields = { stream: stream.name, architectures: ['x64'], ...version }
  const { build } = await uploadedBuild(service, tenant, fields)
  // Only packages have a build number.
  const { db } = service.deps
  await db.updateTable('builds').set({ build_number: '8123' }).where('id', '=', build.id).execute()
  const calls = releaseCalls(service, tenant)
  const { id } = await calls.create({ ...version, build_ids: [build.id] })
  return { ...calls, releaseId: id as string }
}

const showInPortal = async () => {
  const portal = (await send('POST', '/portals', { name: 'Downloads', type: 'public' })).body.data
  const modes = { streams_mode: 'all', releases_mode: 'all' }
  await send('PUT', `/portals/${portal.id}/applications/${tenant.applicationId}`, modes)
}

type Options = { key?: string | null; method?: string; headers?: Record<string, string> }
const open = (path: string, { key = null, method = 'GET', headers = {} }: Options = {}) =>
  service.call(method, `${service.url}/d/${tenant.applicationId}/${path}`, { key, headers })
const latest = (rest: string) => `${encodeURIComponent(stream.name)}/latest/linux/${rest}`

/** Returns the text that a badge shows; fails if it is not well-formed XML or contains elements that could act. */
function textOfBadge(svg: string): string {
  const parser = new SaxesParser()
  const texts: string[] = []
  parser.on('error', (error) => assert.fail(error))
  parser.on('opentag', ({ name, attributes }) => {
    assert.ok(!['script', 'foreignObject', 'a', 'image', 'use'].includes(name), name)
    assert.deepEqual(
      Object.keys(attributes).filter((attribute) => /^on|href/i.test(attribute)),
      [],
    )
  })
  parser.on('text', (text) => texts.push(text))
  parser.write(svg).close()
  return texts.join(' ')
}

test('shows the version of the latest build and of a release', async () => {
  await publishedBuild()
  await showInPortal()
  for (const key of [tenant.applicationKey, null])
    for (const [path, texts] of [
      [latest('badge.svg'), [`Linux ${stream.name}`, '2.14.0 (8123)']],
      [latest('x64/badge.svg'), [`Linux ${stream.name}`, '2.14.0 (8123)']],
      ['releases/latest/linux/badge.svg', ['Linux release', '2.14.0']],
      ['releases/2.14.0/linux/badge.svg?label=Aurora%20for%20%26&color=00aa00', ['Aurora for &', '2.14.0']],
    ] as const) {
      const { status, headers, text } = await open(path, { key })
      assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml'], text)
      const shown = textOfBadge(text)
      for (const expected of texts) assert.ok(shown.includes(expected), `${shown} has no ${expected}`)
    }
  const { text } = await open('releases/latest/linux/badge.svg?color=00aa00&style=flat-square')
  assert.match(text, /#00aa00/)
})

test('returns the JSON that shields.io draws', async () => {
  await publishedBuild({ ...versionOf(3), version_component_extra: 'beta.1' })
  await showInPortal()
  const { status, headers, body } = await open(latest('badge.json?style=plastic'))
  assert.deepEqual([status, headers.get('content-type')], [200, 'application/json'])
  assert.deepEqual(body, {
    schemaVersion: 1,
    label: `Linux ${stream.name}`,
    message: '3.0.0-beta.1 (8123)',
    color: 'orange',
    style: 'plastic',
  })
})

test('is checked by clients each time, and disappears with the release', async () => {
  const { withdraw, releaseId } = await publishedBuild()
  await showInPortal()
  const path = 'releases/latest/linux/badge.svg'
  const first = await open(path)
  assert.equal(first.headers.get('cache-control'), 'no-cache')
  assert.match(first.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  const etag = first.headers.get('etag') ?? ''
  const again = await open(path, { headers: { 'if-none-match': etag } })
  assert.deepEqual([again.status, again.text], [304, ''])
  const head = await open(path, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('etag'), head.text], [200, etag, ''])
  await withdraw(releaseId)
  assert.equal((await open(path, { headers: { 'if-none-match': etag } })).status, 404)
})

test('is shown only to callers who can download the build', async () => {
  await publishedBuild()
  const other = await service.tenant()
  for (const [key, status] of [
    [null, 404],
    [other.workspaceKey, 404],
    [tenant.workspaceKey, 200],
  ] as const)
    for (const path of [latest('badge.svg'), 'releases/latest/linux/badge.json'])
      assert.equal((await open(path, { key })).status, status, path)
  for (const path of [latest('badge.png'), latest('x64/x64/badge.svg'), 'releases/latest/ios/badge.svg'])
    assert.equal((await open(path, { key: tenant.workspaceKey })).status, 404, path)
})

test('is shown through the share link of a release unless a password protects it', async () => {
  const { shareLink, releaseId } = await publishedBuild()
  const shareOf = async (fields: object = {}) =>
    (await shareLink(releaseId, fields)).short_url.replace(/.*\/s\//, '') as string
  const share = await shareOf({ max_downloads: 1 })
  for (let visit = 0; visit < 3; visit++) {
    const { status, text } = await open(`releases/latest/linux/x64/badge.svg?label=Beta&share=${share}`)
    assert.equal(status, 200, text)
    assert.match(textOfBadge(text), /Beta/)
  }
  assert.equal((await open(`releases/9.0.0/linux/badge.svg?share=${share}`)).status, 404)
  const locked = await open(
    `releases/latest/linux/badge.svg?share=${await shareOf({ password: 'sesame open' })}`,
  )
  assert.deepEqual([locked.status, locked.body.code], [403, 'share_link.password_required'])
})

test('shows hostile labels as text', async () => {
  await publishedBuild()
  await showInPortal()
  for (const label of [
    '<script>alert(1)</script>',
    '"><a href="javascript:alert(1)">x',
    ']]>&#x0;&',
    '\u202E\u{1F6A2}𝔘',
  ]) {
    const { status, text } = await open(latest(`badge.svg?label=${encodeURIComponent(label)}`))
    assert.equal(status, 200, text)
    assert.ok(textOfBadge(text).includes(label), text)
  }
  for (const query of ['label=%00', `label=${'x'.repeat(101)}`, 'color=url(x)', 'color=%22', 'style=x'])
    assert.equal((await open(latest(`badge.svg?${query}`))).status, 422, query)
})
