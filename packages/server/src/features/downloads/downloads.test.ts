import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { groupCalls, groupLink } from '../../../test/distribution-groups.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'
import { shareCalls } from '../../../test/share-links.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { csvText } from '../../http/endpoint/csv-response.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { createInstallGrant } from '../installs/install-grant.ts'

let service: Service
let tenant: Tenant
let found: Awaited<ReturnType<typeof downloadThroughEveryChannel>>

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  found = await downloadThroughEveryChannel()
})
after(() => service.close())

type Listed = {
  id: string
  channel: string
  email: string | null
  user_id: string | null
  user_name: string | null
  share_link_id: string | null
  distribution_group_id: string | null
  distribution_group_name: string | null
  portal_id: string | null
  portal_name: string | null
  api_key: { name: string } | null
  version: string
  platform: { identifier: string }
  build_id: string
  filename: string | null
  created_at: string
}
type Counted = { kind: string | null; name: string | null; download_count: number }

const call = (path: string, key: string | null = tenant.workspaceKey) =>
  service.call('GET', `/applications/${tenant.applicationId}/downloads${path}`, { key })

async function list(query = '', key?: string): Promise<Listed[]> {
  const { status, body, text } = await call(query, key)
  assert.equal(status, 200, text)
  return body.data
}

/** Downloads one build with a key, a session, a share link, a portal and the links of two members of a group. */
async function downloadThroughEveryChannel() {
  const { build, id: linkId, url } = await shareCalls(service, tenant).createLink()
  const other = await uploadedBuild(service, tenant, { platform: 'generic', version_component_1_major: 9 })
  const buildPath = (id: string) => `/applications/${tenant.applicationId}/builds/${id}/download`
  const userId = await insertMember(service, tenant, { name: 'Grace Hopper', applicationRole: 'qa' })
  const session = await service.signIn(userId, tenant.workspaceId)
  const get = async (path: string, key: string | null) => {
    const { status, text } = await service.call('GET', path, { key })
    assert.ok(status < 400, text)
  }
  await get(buildPath(build.id), tenant.applicationKey)
  await get(buildPath(other.build.id), session)
  await get(`${url}/download`, null)
  const groups = groupCalls(service, tenant)
  const emails = ['ann@example.com', 'bob@example.com']
  const groupId = await groups.group(emails)
  const releaseId = await groups.release([build.id])
  await groups.share(groupId, releaseId)
  for (const email of emails) await get(`${await groupLink(service, tenant, email)}/download`, null)
  const send = (method: string, path: string, body: object) =>
    service.call(method, path, { key: tenant.workspaceKey, body })
  const portalId = (await send('POST', '/portals', { name: 'Downloads', type: 'public' })).body.data
    .id as string
  const modes = { streams_mode: 'all', releases_mode: 'none' }
  await send('PUT', `/portals/${portalId}/applications/${tenant.applicationId}`, modes)
  const stream = encodeURIComponent(build.stream.name as string)
  await get(`${service.url}/d/${tenant.applicationId}/${stream}/latest/generic`, null)
  return { build, other: other.build, linkId, groupId, releaseId, portalId, userId, session }
}

test('lists who downloaded what through each channel, the latest first', async () => {
  const all = await list()
  assert.deepEqual(
    all.map(({ channel }) => channel),
    ['portal', 'distribution-group', 'distribution-group', 'share-link', 'console', 'api'],
  )
  const [portal, bob, ann, shared, console, api] = all as [Listed, Listed, Listed, Listed, Listed, Listed]
  assert.deepEqual([portal.portal_id, portal.portal_name], [found.portalId, 'Downloads'])
  assert.deepEqual([bob.email, ann.email], ['bob@example.com', 'ann@example.com'])
  assert.equal(bob.distribution_group_id, found.groupId)
  assert.equal(shared.share_link_id, found.linkId)
  assert.deepEqual([console.user_id, console.user_name], [found.userId, 'Grace Hopper'])
  assert.equal(api.api_key?.name, 'test')
  assert.deepEqual(
    [console.version, console.platform.identifier, console.build_id],
    ['9.2.3', 'generic', found.other.id],
  )
  assert.equal(shared.filename, 'app.7z')
})

test('filters downloads by each of their properties', async () => {
  const count = async (query: string) => (await list(`?${query}`)).length
  const since = encodeURIComponent((await list())[2]!.created_at)
  const expected: Record<string, number> = {
    [`build_id=${found.other.id}`]: 2,
    [`release_id=${found.releaseId}`]: 4,
    [`share_link_id=${found.linkId}`]: 1,
    [`distribution_group_id=${found.groupId}`]: 2,
    [`portal_id=${found.portalId}`]: 1,
    [`user_id=${found.userId}`]: 1,
    'email=ANN%40example.com': 1,
    'platform=generic': 2,
    'platform=ios': 0,
    'version=9.2.3': 2,
    'version=9.2.3-beta': 0,
    'channel=api': 1,
    [`created_after=${since}`]: 3,
    [`created_before=${since}`]: 3,
    [`release_id=${found.releaseId}&channel=distribution-group`]: 2,
    [`version=9.2.3&channel=portal&platform=generic`]: 1,
  }
  for (const [query, downloads] of Object.entries(expected))
    assert.equal(await count(query), downloads, query)
  for (const query of ['version=one', 'platform=x', 'build_id=x', 'after=x', 'created_after=soon'])
    assert.equal((await call(`?${query}`)).status, 422, query)
})

test('continues after the last download of a page, even while others are recorded', async () => {
  const all = (await list()).map(({ id }) => id)
  const pages: string[] = []
  let after = ''
  for (;;) {
    const { body } = await call(`?limit=2${after}`)
    pages.push(...body.data.map(({ id }: Listed) => id))
    if (body.cursor === null) break
    after = `&after=${body.cursor}`
    await service.deps.db
      .insertInto('downloads')
      .values(copyOf(await one(all[5]!)))
      .execute()
  }
  assert.deepEqual(pages, all)
  const added = (await list('?limit=100')).slice(0, -all.length).map(({ id }) => id)
  await service.deps.db.deleteFrom('downloads').where('id', 'in', added).execute()
})

const one = (id: string) =>
  service.deps.db.selectFrom('downloads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const copyOf = ({ created_at: _, ...row }: Awaited<ReturnType<typeof one>>) => ({ ...row, id: uuidV7() })

test('hides names and addresses from keys that may not see them', async () => {
  const key = await service.key(tenant.workspaceId, null, ['builds:read', 'applications:read'])
  for (const download of await list('', key))
    for (const field of ['email', 'user_name', 'distribution_group_name', 'portal_name'] as const)
      assert.equal(download[field], null, field)
  assert.equal((await call('?email=ann@example.com', key)).status, 403)
  assert.equal((await call('/totals?by=person', key)).status, 403)
  assert.doesNotMatch((await call('/export', key)).text, /ann@example|Grace/)
  const { body } = await call('/totals?by=portal', key)
  assert.deepEqual([body.data.groups[0].value, body.data.groups[0].name], [found.portalId, null])
  const outsider = await service.signIn(await insertMember(service, tenant), tenant.workspaceId)
  for (const path of ['', '/export', '/totals']) assert.equal((await call(path, outsider)).status, 404, path)
  assert.equal((await list('', found.session)).length, 6)
})

test('counts downloads by person and by each place from which they came', async () => {
  const totals = async (query: string) => (await call(`/totals?${query}`)).body.data
  const people = await totals('by=person')
  assert.deepEqual([people.download_count, people.group_count], [6, 4])
  assert.deepEqual(
    people.groups.map(({ kind, name, download_count }: Counted) => [kind, name, download_count]).toSorted(),
    [
      ['api_key', 'test', 1],
      ['email', 'ann@example.com', 1],
      ['email', 'bob@example.com', 1],
      ['user', 'Grace Hopper', 1],
    ],
  )
  const first = async (by: string) => (await totals(`by=${by}`)).groups[0]
  assert.deepEqual((await first('channel')).value, 'distribution-group')
  const platform = await first('platform')
  assert.deepEqual([platform.value, platform.download_count], [found.build.platform.identifier, 4])
  assert.equal((await first('version')).value, '1.2.3')
  assert.equal((await first('build')).value, found.build.id)
  assert.equal((await first('share_link')).value, found.linkId)
  assert.equal((await first('distribution_group')).download_count, 2)
  assert.equal((await totals('by=person&version=9.2.3')).download_count, 2)
})

test('exports matching downloads as CSV that no spreadsheet runs as a formula', async () => {
  const agent = '=HYPERLINK("http://evil.example","a, b")'
  const path = `/applications/${tenant.applicationId}/builds/${found.build.id}/download`
  await service.call('GET', path, { key: tenant.applicationKey, headers: { 'user-agent': agent } })
  const { status, headers, text } = await call('/export?channel=api')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/csv; charset=utf-8/)
  assert.match(
    headers.get('content-disposition') ?? '',
    /^attachment; filename="downloads-\d{4}-\d\d-\d\d\.csv"$/,
  )
  const [head = '', latest = '', ...others] = text.split('\r\n')
  assert.match(head, /^\u{FEFF}?created_at,channel,/u)
  assert.ok(latest.includes(`,"'=HYPERLINK(""http://evil.example"",""a, b"")",`), latest)
  assert.equal(others.length, 2)
  const empty = await service.call('HEAD', `/applications/${tenant.applicationId}/downloads/export`, {
    key: tenant.workspaceKey,
  })
  assert.deepEqual([empty.status, empty.text], [200, ''])
  await service.deps.db.deleteFrom('downloads').where('user_agent', '=', agent).execute()
})

test('distinguishes installations from saved files', async () => {
  const other = await service.tenant()
  const { url, id: linkId, build } = await shareCalls(service, other).createLink()
  const grant = createInstallGrant(service.deps, { channel: 's', linkId, buildId: build.id }, null)
  for (const path of [`${url}/download`, `${service.url}/i/${grant}/app.7z`])
    assert.ok((await service.call('GET', path, { key: null })).status < 400, path)
  const get = (path: string) =>
    service.call('GET', `/applications/${other.applicationId}/downloads${path}`, { key: other.workspaceKey })
  const { data } = (await get('')).body
  assert.deepEqual(
    data.map(({ is_install }: { is_install: boolean }) => is_install),
    [true, false],
  )
  const totals = (await get('/totals?by=channel')).body.data
  assert.deepEqual([totals.download_count, totals.install_count, totals.groups[0].install_count], [2, 1, 1])
  const [head = '', installed = '', saved = ''] = (await get('/export')).text.split('\r\n')
  const column = head.split(',').indexOf('is_install')
  assert.deepEqual(
    [installed, saved].map((line) => line.split(',')[column]),
    ['true', 'false'],
  )
})

test('quotes cells with separators, quotation marks and line breaks', () => {
  assert.equal(
    csvText([['a', 1, true, null, 'b,c', 'd"e', 'f\r\ng', '-1', '@x', 'x=1']]),
    `a,1,true,,"b,c","d""e","f\r\ng",'-1,'@x,x=1\r\n`,
  )
})

test('exports many downloads once each, also from builds of one version', async () => {
  const other = await service.tenant()
  const { applicationId, workspaceKey: key } = other
  const { build } = await uploadedBuild(service, other)
  await sql`
    insert into downloads (id, workspace_id, application_id, build_id, channel, created_at)
    select gen_random_uuid(), ${build.workspace_id}, ${applicationId}, ${build.id}, 'api',
      now() - make_interval(secs => n / 3) from generate_series(1, 2500) n`.execute(service.deps.db)
  for (const query of ['', '?version=1.2.3']) {
    const { text } = await service.call('GET', `/applications/${applicationId}/downloads/export${query}`, {
      key,
    })
    const ids = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',').at(-1))
    assert.deepEqual([ids.length, new Set(ids).size], [2500, 2500])
  }
})
