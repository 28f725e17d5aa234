import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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
