import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { groupCalls, groupLink } from '../../../../test/distribution-groups.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { createBrowser, textOf } from '../../../../test/page-browser.ts'
import { uploadedBuild } from '../../../../test/uploading.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof groupCalls>

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  calls = groupCalls(service, tenant)
})
after(() => service.close())

async function createLink(email: string, builds: { id: string }[]) {
  const groupId = await calls.group([email])
  const releaseId = await calls.release(
    builds.map(({ id }) => id),
    'Big news',
  )
  await calls.share(groupId, releaseId)
  return { groupId, releaseId, url: await groupLink(service, tenant, email) }
}

const downloadsOf = (buildId: string) =>
  service.deps.db.selectFrom('downloads').selectAll().where('build_id', '=', buildId).execute()

test('shows a release to its recipient and records each download', async () => {
  const { build, bytes } = await uploadedBuild(service, tenant)
  const { url } = await createLink('page@example.com', [build])
  const browser = createBrowser()
  const page = await browser.open(url)
  assert.equal(page.status, 200)
  assert.match(textOf(page), /1\.2\.3 Big news Download for Linux app\.7z/)
  assert.match(textOf(page), /This link is personal/)
  await browser.head(`${url}/download`)
  await browser.open(`${url}/download`, { 'sec-purpose': 'prefetch' })
  assert.deepEqual(await downloadsOf(build.id), [])
  const { status, location = '' } = await browser.submit(page, 'Download for Linux')
  assert.equal(status, 303)
  const file = await fetch(location)
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(bytes))
  assert.equal((await browser.open(`${url}/download`)).status, 303)
  assert.deepEqual(
    (await downloadsOf(build.id)).map(({ channel, email, file_id }) => [channel, email, file_id]),
    Array.from({ length: 2 }, () => ['distribution-group', 'page@example.com', build.primary_file.id]),
  )
})

test('records a resumed download once, and offers a command that keeps the link personal', async () => {
  const { build, bytes } = await uploadedBuild(service, tenant)
  const { url } = await createLink('resumed@example.com', [build])
  const page = await createBrowser().open(url)
  const [, command = ''] = /(curl -fL .*?)<\/code>/s.exec(page.text) ?? []
  const [, target = ''] = /(http\S*?)&#39;/.exec(command) ?? []
  const download = target.replaceAll('&#38;', '&')
  assert.ok(download.startsWith(`${url}/download?build_id=${build.id}&file_id=`), download)
  for (const range of ['bytes=0-', 'bytes=1000-', 'bytes=1020-']) {
    const { status, body } = await service.call('GET', download, { key: null, headers: { range } })
    assert.equal(status, 302)
    const file = await fetch(body.location ?? '', { headers: { range } })
    assert.deepEqual(
      Buffer.from(await file.arrayBuffer()),
      Buffer.from(bytes).subarray(Number(range.slice(6, -1))),
    )
  }
  assert.equal((await downloadsOf(build.id)).length, 1)
  await service.call('GET', download, { key: null })
  assert.equal((await downloadsOf(build.id)).length, 2)
})

test('explains a release without builds, and why a link no longer works', async () => {
  const { groupId, releaseId, url } = await createLink('reasons@example.com', [])
  assert.match(textOf(await createBrowser().open(url)), /nothing to download at the moment/)
  assert.equal((await createBrowser().open(`${url}/download`)).location, url)
  const titleOf = async (target: string) => {
    const page = await createBrowser().open(target)
    return `${page.status} ${/<h1>(.*?)<\/h1>/.exec(page.text)?.[1]}`
  }
  assert.equal(await titleOf(`${url.slice(0, -1)}_`), '404 This link does not work')
  const { key, path } = { key: tenant.workspaceKey, path: `/distribution-groups/${groupId}` }
  await service.call('PATCH', path, { key, body: { is_active: false } })
  assert.equal(await titleOf(url), '410 The group is inactive')
  await service.call('PATCH', path, { key, body: { is_active: true } })
  await service.call('POST', `/applications/${tenant.applicationId}/releases/${releaseId}/withdraw`, { key })
  assert.equal(await titleOf(url), '410 This release was withdrawn')
  await service.call('DELETE', `/applications/${tenant.applicationId}/releases/${releaseId}`, { key })
  assert.equal(await titleOf(url), '410 This release was deleted')
})
