import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { copyBuild } from '../../../test/copy-builds.ts'
import { startService, type Service } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

test('lists builds as they are returned one by one', async () => {
  const tenant = await service.tenant()
  const { workspaceKey: key, applicationId } = tenant
  const path = `/applications/${applicationId}`
  const fields = {
    labels: ['signed', 'Ünï "quoted" \\ \u2028'],
    built_at: '2026-11-01T10:20:30.5Z',
    notes: 'first "line"\n\u001e and \u0007',
    scm_branch: 'feature/😀',
    scm_repo_url: 'git@github.com:acme/app.git',
    ci_run_url: 'https://ci.example.com/runs/1',
  }
  const listed = (await uploadedBuild(service, tenant, fields)).build.id as string
  await uploadedBuild(service, tenant)
  const { body } = await service.call('GET', `${path}/builds`, { key })
  for (const build of body.data as { id: string }[]) {
    const { body: single } = await service.call('GET', `${path}/builds/${build.id}`, { key })
    assert.deepEqual(build, Object.fromEntries(Object.keys(build).map((name) => [name, single.data[name]])))
  }
  const [first] = body.data as { id: string; notes: string; links: object; built_at: string }[]
  assert.equal(first?.id, listed)
  assert.equal(first?.built_at, '2026-11-01T10:20:30.500000Z')
})

test('lists builds that come after many others', async () => {
  const tenant = await service.tenant()
  const { workspaceKey: key, applicationId } = tenant
  const rare = (await uploadedBuild(service, tenant, { labels: ['rare'], scm_branch: 'rare' })).build.id
  const { build } = await uploadedBuild(service, tenant, { labels: ['common'], scm_branch: 'main' })
  await copyBuild(service, build.id, 1_500)
  for (const filter of ['labels=rare', 'branches=rare', 'branches=rare,main&labels=rare']) {
    const path = `/applications/${applicationId}/builds?sort=desc&${filter}`
    const { body } = await service.call('GET', path, { key })
    assert.deepEqual([body.pagination.total, body.data.length, body.data[0].id], [1, 1, rare], filter)
  }
  const { body } = await service.call('GET', `/applications/${applicationId}/builds?sort=desc`, { key })
  assert.deepEqual([body.pagination.total, body.data.length], [1_502, 15])
})
