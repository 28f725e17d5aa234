import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { copyBuild } from '../../../../test/copy-builds.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { createBrowser, textOf, userAgents, type OpenedPage } from '../../../../test/page-browser.ts'
import { portalCalls } from '../../../../test/portals.ts'
import { uploadedBuild } from '../../../../test/uploading.ts'
import { encodeCursor } from '../../../http/endpoint/cursor.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof portalCalls>

before(async () => {
  service = await startService()
})
after(() => service.close())

async function newTenant(): Promise<void> {
  tenant = await service.tenant()
  calls = portalCalls(service, tenant)
}

const headingsOf = ({ text }: OpenedPage): string[] =>
  [...text.matchAll(/<h2>\s*<a href="[^"]*">([^<]*)<\/a/g)].map(([, heading = '']) => heading.trim())

const downloadsOf = (portalId: string) =>
  service.deps.db
    .selectFrom('downloads')
    .select(['build_id', 'channel', 'portal_id', 'email'])
    .where('portal_id', '=', portalId)
    .execute()

test('lists published releases, newest first, with the download for the device of the visitor', async () => {
  await newTenant()
  const { portal_url: url, id } = await calls.portal({ description: 'Builds of Aurora' })
  assert.equal(url, `${service.url}/p/${id}`)
  const empty = await createBrowser().open(url)
  assert.equal(empty.status, 200, empty.text)
  assert.match(textOf(empty), /Acme builds Builds of Aurora .*Nothing here yet/)
  await calls.release([1, 0], { notes: '## Fixed\n\n- A crash' })
  const second = await calls.release([1, 1], { platforms: ['windows', 'linux', 'android'] })
  const browser = createBrowser(userAgents.windows)
  const page = await browser.open(`${url}/`)
  const name = `App ${tenant.workspaceId}`
  assert.deepEqual(headingsOf(page), [`${name} 1.1.0`, `${name} 1.0.0`])
  assert.match(textOf(page), /A crash/)
  const button = `Download for Windows: ${name} 1.1.0`
  assert.deepEqual(
    page.forms.map(({ label, method }) => [method, label]).filter(([method]) => method === 'POST'),
    [
      ['POST', button],
      ['POST', `Download for Linux: ${name} 1.0.0`],
    ],
  )
  const download = await browser.submit(page, button)
  assert.equal(download.status, 303)
  const file = await fetch(download.location ?? assert.fail(download.text))
  const [windows] = second.builds
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), windows?.bytes)
  assert.deepEqual(await downloadsOf(id), [
    { build_id: windows?.id, channel: 'portal', portal_id: id, email: null },
  ])
})

test('shows every file of a release with its size, checksum and permalink', async () => {
  await newTenant()
  const { portal_url: url, id } = await calls.portal()
  const release = await calls.release([2, 4], { platforms: ['windows', 'linux'], notes: 'Some **notes**' })
  const browser = createBrowser(userAgents.linux)
  const page = await browser.open(`${url}/releases/${release.id}`)
  assert.equal(page.status, 200)
  const text = textOf(page)
  for (const build of release.builds) {
    assert.ok(text.includes(build.primary_file.filename))
    const permalink = `${service.url}/d/${tenant.applicationId}/releases/2.4.0/${build.platform.identifier}`
    assert.ok(text.includes(permalink), permalink)
    const redirect = await createBrowser().open(permalink)
    assert.equal(redirect.status, 303)
  }
  assert.match(page.text, /<strong>notes<\/strong>/)
  const [linux] = page.forms
  const download = await browser.submit(page, linux?.label ?? '')
  assert.equal(download.status, 303, download.text)
  const head = await browser.head(`${url}/releases/${release.id}/download?build_id=${release.builds[0]?.id}`)
  assert.equal(head.status, 303)
  assert.equal((await downloadsOf(id)).length, 3)
})

test('searches and filters without scripts and continues a long list', async () => {
  await newTenant()
  const { portal_url: url } = await calls.portal()
  for (let minor = 0; minor < 22; minor++)
    await calls.releases.create({
      version_component_1_major: 1,
      version_component_2_minor: minor,
      version_component_3_patch: 0,
      title: minor === 3 ? 'Winter 100%' : 'News',
    })
  const first = await createBrowser().open(url)
  assert.equal(headingsOf(first).length, 20)
  const [, older = ''] = /href="([^"]*)" rel="next"/.exec(first.text) ?? []
  const second = await createBrowser().open(new URL(older, url).href)
  assert.deepEqual(
    headingsOf(second).map((heading) => heading.split(' ').at(-1)),
    ['1.1.0', '1.0.0'],
  )
  const found = async (query: string) => headingsOf(await createBrowser().open(`${url}?${query}`)).length
  assert.equal(await found('q=100%25'), 1)
  assert.equal(await found('q=v1.21'), 1)
  assert.equal(await found('q=nothing-like-this'), 0)
  assert.equal(await found('platform=windows'), 0)
  assert.equal(await found('platform=unknown&application=other&after=broken'), 20)
  const unreadable = encodeCursor(['portal-1', '1', 'id'])
  assert.equal(await found(`after=${unreadable}`), 20)
  assert.equal(await found('q=%00%ff&q=x'), 0)
  const nothing = await createBrowser().open(`${url}?q=nothing-like-this`)
  assert.match(textOf(nothing), /Nothing found.*Show everything/)
  const german = await createBrowser().open(`${url}?q=nothing-like-this`, { 'accept-language': 'de' })
  assert.match(textOf(german), /Nichts gefunden.*Alles anzeigen/)
})

test('shows only the streams and releases that were chosen', async () => {
  await newTenant()
  const streams = (
    await service.call('GET', `/applications/${tenant.applicationId}/streams`, { key: tenant.workspaceKey })
  ).body.data as { id: string; name: string }[]
  const [shown, hidden] = streams
  assert.ok(shown && hidden)
  const { id, portal_url: url } = await calls.portal(
    {},
    { streams_mode: 'selective', stream_ids: [shown.id], releases_mode: 'selective' },
  )
  const one = await calls.release([1])
  const two = await calls.release([2])
  await calls.send('POST', `/portals/${id}/releases`, { release_id: one.id })
  const upload = (stream: string) => uploadedBuild(service, tenant, { stream, platform: 'linux' })
  const { build: visible } = await upload(shown.name)
  const { build: secret } = await upload(hidden.name)
  const open = async (path: string) => (await createBrowser().open(`${url}${path}`)).status
  for (const [path, status] of [
    [`/releases/${one.id}`, 200],
    [`/releases/${two.id}`, 404],
    [`/releases/${two.id}/download`, 404],
    [`/releases/${one.id}/download?build_id=${two.builds[0]?.id}`, 404],
    [`/streams/${shown.id}`, 200],
    [`/streams/${hidden.id}`, 404],
    [`/streams/${shown.id}/builds/${visible.id}`, 200],
    [`/streams/${shown.id}/builds/${secret.id}`, 404],
    [`/streams/${hidden.id}/builds/${secret.id}`, 404],
    [`/streams/${hidden.id}/builds/${secret.id}/download`, 404],
    [`/streams/${shown.id}/builds/${visible.id}/download`, 303],
  ] as const)
    assert.equal(await open(path), status, path)
  const front = await createBrowser().open(url)
  assert.match(textOf(front), new RegExp(`Releases .*1\\.0\\.0.* Latest builds .*${shown.name}`))
  assert.ok(!front.text.includes('2.0.0'))
  await service.call('DELETE', `/applications/${tenant.applicationId}/builds/${visible.id}`, {
    key: tenant.workspaceKey,
  })
  assert.equal(await open(`/streams/${shown.id}/builds/${visible.id}/download`), 404)
})

test('lists a stream with builds after any number of streams without', async () => {
  await newTenant()
  const { applicationId: application_id } = tenant
  const empty = Array.from({ length: 120 }, (_, index) => ({
    id: `${application_id}-${index}`,
    application_id,
    name: `branch ${index}`,
  }))
  await service.deps.db.insertInto('streams').values(empty).execute()
  await service.call('POST', `/applications/${application_id}/streams`, {
    key: tenant.workspaceKey,
    body: { name: 'weekly' },
  })
  await uploadedBuild(service, tenant, { stream: 'weekly' })
  const { portal_url: url } = await calls.portal({}, { streams_mode: 'all' })
  for (const query of ['', '?platform=linux'])
    assert.match(textOf(await createBrowser().open(`${url}${query}`)), /weekly · Linux/, query)
})

test('lists more than a hundred streams on several pages', async () => {
  await newTenant()
  const { applicationId: application_id } = tenant
  const streams = Array.from({ length: 130 }, (_, index) => ({
    id: `${application_id}-${index}`,
    application_id,
    name: `branch ${String(index).padStart(3, '0')}`,
  }))
  const { db } = service.deps
  await db.insertInto('streams').values(streams).execute()
  const { build } = await uploadedBuild(service, tenant, { stream: 'branch 000' })
  await copyBuild(service, build.id, streams.length - 1)
  const copies = await db
    .selectFrom('builds')
    .select('id')
    .where('application_id', '=', application_id)
    .where('id', '!=', build.id)
    .execute()
  for (const [index, copy] of copies.entries())
    await db
      .updateTable('builds')
      .set({ stream_id: streams[index + 1]?.id ?? '' })
      .where('id', '=', copy.id)
      .execute()
  const { portal_url: url } = await calls.portal({}, { streams_mode: 'all', releases_mode: 'all' })
  await calls.release([1])
  const browser = createBrowser()
  const namesOn = (text: string) => [...text.matchAll(/branch \d+/g)].map(([name]) => name)
  const first = await browser.open(url)
  assert.match(textOf(first), /Show more/)
  const second = await browser.open(`${url}?streams=100`)
  assert.doesNotMatch(textOf(second), /Show more/)
  assert.match(textOf(second), /Back to the beginning/)
  const names = new Set([...namesOn(textOf(first)), ...namesOn(textOf(second))])
  assert.deepEqual(
    streams.filter(({ name }) => !names.has(name)),
    [],
  )
})

test('serves nothing of another portal or of the trash', async () => {
  await newTenant()
  const { portal_url: url } = await calls.portal()
  const own = await calls.release([1])
  const other = await service.tenant()
  const foreign = await portalCalls(service, other).release([1])
  const open = async (path: string) => (await createBrowser().open(`${url}${path}`)).status
  assert.equal(await open(`/releases/${foreign.id}`), 404)
  assert.equal(await open(`/releases/${own.id}/download?build_id=${foreign.builds[0]?.id}`), 404)
  const file_id = foreign.builds[0]?.primary_file.id
  assert.equal(await open(`/releases/${own.id}/download?file_id=${file_id}`), 404)
  await service.call('DELETE', `/applications/${tenant.applicationId}`, { key: tenant.workspaceKey })
  assert.equal(await open(`/releases/${own.id}`), 404)
  assert.match(textOf(await createBrowser().open(url)), /Nothing here yet/)
})

test('answers 304 until something changes, and forgets a withdrawn release at once', async () => {
  await newTenant()
  const { portal_url: url } = await calls.portal()
  const { id } = await calls.release([3])
  for (const path of ['', `/releases/${id}`, '/changelog', '/feed.rss', '/feed.atom', '/feed.json']) {
    const first = await createBrowser().open(`${url}${path}`)
    assert.equal(first.status, 200, path)
    assert.match(String(first.headers['cache-control']), /no-cache/)
    const again = await createBrowser().open(`${url}${path}`, {
      'if-none-match': String(first.headers['etag']),
    })
    assert.deepEqual([again.status, again.text], [304, ''], path)
  }
  await calls.releases.withdraw(id)
  for (const path of ['', '/changelog', '/feed.rss', '/feed.atom', '/feed.json'])
    assert.ok(!(await createBrowser().open(`${url}${path}`)).text.includes(id), path)
  for (const path of [`/releases/${id}`, `/releases/${id}/download`])
    assert.equal((await createBrowser().open(`${url}${path}`)).status, 404, path)
  assert.equal((await calls.releases.publish(id)).status, 200)
  assert.equal((await createBrowser().open(`${url}/releases/${id}`)).status, 200)
})

test('uses the accent color in readable shades and refuses anything else', async () => {
  await newTenant()
  const { portal_url: url, id } = await calls.portal({ accent_color: '#FFEE00' })
  const { text, headers } = await createBrowser().open(url)
  assert.match(text, /--mark:#ffee00/)
  assert.doesNotMatch(String(headers['content-security-policy']), /unsafe/)
  for (const accent_color of ['red', '#fff', '#12345g', '#000000;}</style><script>'])
    assert.equal(
      (
        await service.call('PATCH', `/portals/${id}`, {
          key: tenant.workspaceKey,
          body: { accent_color },
        })
      ).status,
      422,
      accent_color,
    )
})
