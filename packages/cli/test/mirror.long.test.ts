import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMirroring } from './mirroring.ts'
import { runInProcess } from './run-in-process.ts'
import { startQuayside } from './run-quayside.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('mirrors builds and releases, including later edits, moves, deletions and restores', async () => {
  const { client, application_id, folder, mirror, upload, mirrored, assertMirrors } =
    await createMirroring(service)
  const [first, second] = [await upload({ filename: 'build.json' }), await upload({ labels: ['smoke'] })]
  await client.createRelease({
    application_id,
    body: {
      title: 'Spring',
      build_ids: [first.id],
      version_component_1_major: 2,
      version_component_2_minor: 0,
      version_component_3_patch: 0,
    },
  })
  const copied = await mirror()
  assert.deepEqual([copied.copied, copied.releases, copied.received_bytes], [2, 1, 4000])
  await assertMirrors([first, second])
  const [release = ''] = await readdir(join(folder, 'releases'))
  assert.equal(JSON.parse(await readFile(join(folder, 'releases', release), 'utf8')).build_ids[0], first.id)
  assert.equal((await mirror()).received_bytes, 0)

  await client.moveBuild({ application_id, build_id: second.id, body: { stream: 'stable' } })
  await client.updateBuild({ application_id, build_id: first.id, body: { notes: 'Fixes' } })
  const moved = await mirror()
  assert.deepEqual([moved.copied, moved.updated, moved.received_bytes], [0, 2, 0])
  const builds = await mirrored()
  assert.equal(builds.get(second.id)?.[0]?.path, `stable/1.0.0_${second.id}`)
  assert.equal(builds.get(first.id)?.[0]?.build.notes, 'Fixes')

  await client.updateStream({
    application_id,
    stream_identifier: 'stable',
    body: { name: '../up/.. ' },
  })
  await mirror()
  await assertMirrors([first, second])
  assert.ok(
    (await readdir(folder)).every((name) => ['builds', 'releases', '.quayside-mirror'].includes(name)),
  )

  await client.deleteBuild({ application_id, build_id: second.id })
  assert.equal((await mirror()).deleted, 1)
  await assertMirrors([first])
  await client.restoreBuild({ application_id, build_id: second.id })
  await mirror()
  await assertMirrors([first, second])
  await client.deleteBuild({ application_id, build_id: second.id })
  await mirror('--keep-deleted')
  await assertMirrors([first])
  assert.deepEqual([...(await mirrored('deleted')).keys()], [second.id])
})

test('downloads a damaged file again when the state file is missing', async () => {
  const { folder, mirror, upload, assertMirrors } = await createMirroring(service)
  const build = await upload()
  await mirror()
  const path = join(folder, 'builds', 'default', `1.0.0_${build.id}`, 'files', 'app.bin')
  await writeFile(path, 'damaged')
  await rm(join(folder, '.quayside-mirror', 'state.json'))
  assert.equal((await mirror()).received_bytes, 2000)
  await assertMirrors([build])
})

test('compares the whole mirror with the server when the cursor is no longer valid', async () => {
  const { client, application_id, folder, mirror, upload, assertMirrors } = await createMirroring(service)
  const [kept, deleted] = [await upload(), await upload()]
  await mirror()
  await client.deleteBuild({ application_id, build_id: deleted.id })
  const path = join(folder, '.quayside-mirror', 'state.json')
  const state = JSON.parse(await readFile(path, 'utf8'))
  const values = JSON.parse(Buffer.from(state.cursor, 'base64url').toString())
  values[4] += 1_000_000_000
  state.cursor = Buffer.from(JSON.stringify(values)).toString('base64url')
  await writeFile(path, JSON.stringify(state))
  const summary = await mirror()
  assert.deepEqual([summary.deleted, summary.received_bytes], [1, 0])
  await assertMirrors([kept])
})

test('refuses a folder that another mirror process is using or that mirrors another application', async () => {
  const { client, application_id, folder, upload, copiedCount } = await createMirroring(service)
  await upload()
  const running = startQuayside(service, ['mirror', application_id, folder, '--watch', '--interval', '1'])
  try {
    while ((await copiedCount()) < 1) await sleep(20)
    const second = await runInProcess(service, ['mirror', application_id, folder])
    assert.equal(second.code, 1)
    assert.match(second.stderr, /Another `quayside mirror` is using/)
  } finally {
    running.child.kill('SIGTERM')
    await running.ended
  }
  const other = await client.createApplication({ body: { name: `Other than ${application_id}` } })
  const foreign = await runInProcess(service, ['mirror', other.data.id, folder])
  assert.match(foreign.stderr, /is a mirror of the application/)
})

test('locks a folder whose path is too long for a Unix-domain socket', async () => {
  const { application_id, folder } = await createMirroring(service)
  const deep = join(folder, 'd'.repeat(120))
  const running = startQuayside(service, ['mirror', application_id, deep, '--watch', '--interval', '1'])
  try {
    while (!existsSync(join(deep, '.quayside-mirror', 'state.json'))) await sleep(20)
    const second = await runInProcess(service, ['mirror', application_id, deep])
    assert.match(second.stderr, /Another `quayside mirror` is using/)
  } finally {
    running.child.kill('SIGTERM')
    await running.ended
  }
})

test('assigns a folder to its application even if the first run fails before it copies a build', async () => {
  const { client, application_id, folder } = await createMirroring(service)
  const limited = await client.createWorkspaceApiKey({
    body: { name: 'limited', scopes: ['applications:read'] },
  })
  const failed = await runInProcess(service, ['mirror', application_id, folder, '--key', limited.data.key])
  assert.equal(failed.code, 3, failed.stderr)
  const other = await client.createApplication({ body: { name: `Other than ${application_id}` } })
  const foreign = await runInProcess(service, ['mirror', other.data.id, folder])
  assert.match(foreign.stderr, /is a mirror of the application/)
})
