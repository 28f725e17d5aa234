import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { copyBuild } from '../../../test/copy-builds.ts'
import { startService, type Service } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { sizeText } from '../../database/expressions.ts'
import { sizeString } from '../../lib/sizes.ts'

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
    vc_branch: 'feature/😀',
    vc_repo_url: 'git@github.com:acme/app.git',
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
  const rare = (await uploadedBuild(service, tenant, { labels: ['rare'], vc_branch: 'rare' })).build.id
  const { build } = await uploadedBuild(service, tenant, { labels: ['common'], vc_branch: 'main' })
  await copyBuild(service, build.id, 5_100)
  for (const filter of ['labels=rare', 'branches=rare', 'branches=rare,main&labels=rare']) {
    const path = `/applications/${applicationId}/builds?sort=desc&${filter}`
    const { body } = await service.call('GET', path, { key })
    const ids = (body.data as { id: string }[]).map(({ id }) => id)
    assert.deepEqual({ total: body.pagination.total, ids }, { total: 1, ids: [rare] }, filter)
  }
  const { body } = await service.call('GET', `/applications/${applicationId}/builds?sort=desc`, { key })
  assert.deepEqual([body.pagination.total, body.data.length], [5_102, 15])
})

test('lists builds of the last days', async () => {
  const tenant = await service.tenant()
  const id: string = (await uploadedBuild(service, tenant)).build.id
  await sql`update builds set created_at = now() - interval '6 days 23 hours' where id = ${id}`.execute(
    service.deps.db,
  )
  const list = (query: string) =>
    service.call('GET', `/applications/${tenant.applicationId}/builds?${query}`, {
      key: tenant.workspaceKey,
    })
  const totals = []
  for (const days of [7, 6]) totals.push((await list(`created_within_days=${days}`)).body.pagination.total)
  assert.deepEqual(totals, [1, 0])
  const isListed = async (query: string) => (await list(query)).body.pagination.total === 1
  assert.equal(await isListed('created_within_days=7&created_after=2999-01-01'), false)
  assert.equal(await isListed('created_within_days=7&created_after=2020-01-01'), true)
  assert.equal(await isListed('created_within_days=6&created_after=2020-01-01'), false)
  assert.equal((await list('created_within_days=0')).status, 422)
})

test('formats sizes in PostgreSQL as in this process', async () => {
  const units = [1, 2, 3, 4, 5].map((power) => 1024 ** power)
  const bytes = units.flatMap((unit) =>
    [0, 1, unit * 1.005, unit * 1.115, unit * 512.125, unit * 1023.994, unit * 1023.995, unit * 1024 - 1]
      .map(Math.round)
      .flatMap((size) => [size - 1, size, size + 1])
      .filter((size) => size >= 0 && Number.isSafeInteger(size)),
  )
  const { rows } = await sql<{ text: string }>`
    select ${sizeText(sql.ref('bytes'))} as text from unnest(${bytes}::bigint[]) with ordinality as sizes (bytes, position)
    order by position`.execute(service.deps.db)
  assert.deepEqual(
    rows.map(({ text }) => text),
    bytes.map(sizeString),
  )
})
