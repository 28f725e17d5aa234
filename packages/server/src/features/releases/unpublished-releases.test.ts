import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { groupCalls, groupLink } from '../../../test/distribution-groups.ts'
import { startService, type ApiResponse, type Service, type Tenant } from '../../../test/harness.ts'
import { untilLockWait } from '../../../test/lock-waits.ts'
import { future, releaseCalls, withoutRequestId } from '../../../test/releases.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { markReleaseWithdrawn } from './release.db.ts'

let service: Service
let tenant: Tenant
let releases: ReturnType<typeof releaseCalls>
let groups: ReturnType<typeof groupCalls>

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  releases = releaseCalls(service, tenant)
  groups = groupCalls(service, tenant)
})
after(() => service.close())

/** Sends a request without an API key. */
const sendPublic = (method: string, url: string, body?: unknown) =>
  service.call(method, url, { key: null, body })

test('treats share links of a release that was never published like unknown links', async () => {
  const { create, publish, withdraw, schedule, shareLink } = releases
  const { build } = await uploadedBuild(service, tenant)
  const { id } = await create({ draft: true, build_ids: [build.id] })
  const { url } = await shareLink(id, { password: 'open sesame' })
  const unknown = url.replace(/share-links\/[^/]+/, 'share-links/abcdefghjk')
  const requests = (base: string): Promise<ApiResponse>[] => [
    sendPublic('GET', base),
    sendPublic('HEAD', `${base}/download`),
    sendPublic('GET', `${base}/download?build_id=${build.id}`),
    sendPublic('POST', `${base}/downloads`, { build_id: build.id }),
    sendPublic('POST', `${base}/grants`, { password: 'open sesame' }),
  ]
  const compare = async () => {
    const [hidden, missing] = [await Promise.all(requests(url)), await Promise.all(requests(unknown))]
    assert.deepEqual(hidden.map(withoutRequestId), missing.map(withoutRequestId))
    assert.deepEqual(new Set(hidden.map(({ status }) => status)), new Set([404]))
  }
  await compare()
  await schedule(id)
  await compare()
  await withdraw(id)
  await compare()
  await publish(id)
  assert.equal((await sendPublic('GET', url)).body.data.password_required, true)
  assert.equal((await sendPublic('POST', `${url}/grants`, { password: 'open sesame' })).status, 201)
})

test('rejects every use of a share link while its release is withdrawn or scheduled', async () => {
  const { create, publish, withdraw, schedule, send, shareLink } = releases
  const { build } = await uploadedBuild(service, tenant)
  const { id } = await create({ build_ids: [build.id] })
  const link = await shareLink(id)
  const { resume } = (await sendPublic('POST', `${link.url}/downloads`, {})).body
  for (const change of [withdraw, schedule]) {
    await change(id)
    const responses = await Promise.all([
      sendPublic('GET', link.url),
      sendPublic('GET', `${link.url}/download`),
      sendPublic('POST', `${link.url}/downloads`, {}),
      sendPublic('POST', `${link.url}/downloads`, { resume }),
    ])
    for (const { status, body } of responses)
      assert.deepEqual([status, body.code], [410, 'share_link.release_withdrawn'])
  }
  assert.equal((await send('GET', `/builds/${build.id}`)).status, 200)
  await publish(id)
  assert.equal((await sendPublic('POST', `${link.url}/downloads`, {})).status, 200)
})

test('rejects and does not record a download whose release is withdrawn while the download waits for a lock', async () => {
  const { create, publish, send, shareLink } = releases
  const { db } = service.deps
  const { build } = await uploadedBuild(service, tenant)
  const { id } = await create({ build_ids: [build.id] })
  await groups.share(await groups.group(['last@status.example']), id)
  const urls = [(await shareLink(id)).url, await groupLink(service, tenant, 'last@status.example')]
  for (const url of urls) {
    const tx = await db.startTransaction().execute()
    await markReleaseWithdrawn(tx, id)
    const download = sendPublic('POST', `${url}/downloads`, {})
    assert.ok(await Promise.race([download.then(() => false), untilLockWait(db)]))
    await tx.commit().execute()
    assert.equal((await download).status, 410)
    await publish(id)
  }
  assert.equal((await send('GET', `/builds/${build.id}/downloads`)).body.pagination.total, 0)
})

test('shows only published releases in a portal', async () => {
  const of = await service.tenant()
  const { create, send } = releaseCalls(service, of)
  const sendPortal = (method: string, path: string, body?: unknown) =>
    service.call(method, `/portals${path}`, { key: of.workspaceKey, body })
  const portal = (await sendPortal('POST', '', { name: 'Portal' })).body.data.id
  const setMode = async (releases_mode: string) => {
    const body = { streams_mode: 'none', releases_mode }
    const response = await sendPortal('PUT', `/${portal}/applications/${of.applicationId}`, body)
    assert.equal(response.status, 200, response.text)
  }
  const shown = async () => (await sendPortal('GET', `/${portal}/releases`)).body.data
  const change = (verb: string, body?: unknown) => send('POST', `/releases/${id}/${verb}`, body)
  const { id } = await create({ draft: true })
  await setMode('all')
  assert.deepEqual(await shown(), [])
  await setMode('selective')
  assert.equal((await sendPortal('POST', `/${portal}/releases`, { release_id: id })).status, 201)
  assert.deepEqual(await shown(), [])
  const { published_at } = (await change('publish')).body.data
  assert.deepEqual(
    (await shown()).map((release: { id: string; published_at: string }) => [
      release.id,
      release.published_at,
    ]),
    [[id, published_at]],
  )
  await change('withdraw')
  assert.deepEqual(await shown(), [])
  await change('schedule', { scheduled_for: future })
  assert.deepEqual(await shown(), [])
})

test('disables personal links of a withdrawn release until it is published again', async () => {
  const { create, publish, withdraw, schedule } = releases
  const { build } = await uploadedBuild(service, tenant)
  const { id } = await create({ build_ids: [build.id] })
  await groups.share(await groups.group(['eve@status.example']), id)
  const url = await groupLink(service, tenant, 'eve@status.example')
  const responses = () =>
    Promise.all([
      sendPublic('GET', url),
      sendPublic('GET', `${url}/download`),
      sendPublic('POST', `${url}/downloads`, {}),
    ])
  for (const change of [withdraw, schedule]) {
    await change(id)
    for (const { status, body } of await responses())
      assert.deepEqual([status, body.code], [410, 'group_link.release_withdrawn'])
  }
  await publish(id)
  assert.deepEqual(
    (await responses()).map(({ status }) => status),
    [200, 302, 200],
  )
})
