import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdir, readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { purgeBuild } from '../../../../test/aging.ts'
import { startOwnService, type Service, type Tenant } from '../../../../test/harness.ts'
import { programWith, restoreFromPatch } from '../../../../test/offered-patches.ts'
import { until } from '../../../../test/until.ts'
import { uploadedBuild } from '../../../../test/uploading.ts'
import type { Deps } from '../../../deps.ts'
import { createPatcher } from '../../../inspection/patching/run-patching.ts'
import { killGroup } from '../../../inspection/sandbox.ts'
import { InspectionAborted } from '../../../inspection/sandboxed-process.ts'
import { rereadBuilds } from '../inspection/reread-builds.job.ts'
import { dropPatches } from './delete-old-patches.job.ts'
import { patchBuild } from './patch-build.job.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startOwnService()
  tenant = await service.tenant()
})
after(() => service.close())

const neverStopping = new AbortController().signal
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const log = pino({ level: 'silent' })

type Uploaded = Awaited<ReturnType<typeof uploadedBuild>>

const upload = (bytes: Buffer, fields: object = {}) =>
  uploadedBuild(service, tenant, { primary_file: { filename: 'tool.bin' }, ...fields }, bytes)

let streams = 0
/** Uploads two versions of a program to a new stream and computes their chunk indexes. */
async function uploadPair(index = async () => rereadBuilds.handle(service.deps, {}, neverStopping)) {
  const stream = `nightly ${++streams}`
  const path = `/applications/${tenant.applicationId}/streams`
  await service.call('POST', path, { key: tenant.applicationKey, body: { name: stream } })
  const code = randomBytes(1_500_000)
  const old = await upload(programWith(1, code), { stream })
  const next = await upload(programWith(99, code), { stream })
  await index()
  return { old, next, stream }
}

const findRow = (uploaded: Uploaded) =>
  service.deps.db
    .selectFrom('file_patches')
    .selectAll()
    .where('file_id', '=', uploaded.build.primary_file.id)
    .executeTakeFirst()

const patchesPath = ({ build }: Uploaded) =>
  `/applications/${tenant.applicationId}/builds/${build.id}/files/${build.primary_file.id}/patches`

const getPatches = (uploaded: Uploaded, key: string | null = tenant.applicationKey, query = '') =>
  service.call('GET', `${patchesPath(uploaded)}${query}`, { key })

/** Uploads two versions, and waits until the job has created their patch. */
async function patchedPair() {
  const pair = await uploadPair()
  await until('the patch', async () => ((await findRow(pair.next))?.object_key ?? null) !== null)
  return pair
}

const scratchFolders = async () =>
  (await readdir(join(service.dataDir, 'scratch')).catch(() => [])).filter((name) =>
    name.startsWith('patch-'),
  )

const restore = (url: string, old: Uint8Array) => restoreFromPatch(url, old, service.dataDir)

test('creates a patch from the previous build of the stream in a job', async () => {
  const { old, next } = await patchedPair()
  const { status, body } = await getPatches(next)
  assert.equal(status, 200)
  const [patch] = body.data
  assert.equal(body.data.length, 1)
  assert.equal(patch.source_sha256, sha256(old.bytes))
  assert.equal(patch.source_size_bytes, old.bytes.length)
  assert.ok(patch.size_bytes < next.bytes.length / 2, `${patch.size_bytes} bytes`)
  assert.equal(sha256(Buffer.from(await (await fetch(patch.temp_url)).arrayBuffer())), patch.checksum_sha256)
  assert.ok((await restore(patch.temp_url, old.bytes)).equals(next.bytes))
  const part = await fetch(patch.temp_url, { headers: { range: 'bytes=0-99' } })
  assert.deepEqual([part.status, (await part.arrayBuffer()).byteLength], [206, 100])
  assert.deepEqual((await getPatches(old)).body.data, [])
  assert.deepEqual(
    (await getPatches(next, tenant.applicationKey, `?from=${sha256(old.bytes)}`)).body.data.length,
    1,
  )
  assert.deepEqual(
    (await getPatches(next, tenant.applicationKey, `?from=${sha256(next.bytes)}`)).body.data,
    [],
  )
  assert.deepEqual(await scratchFolders(), [])
})

test('lists patches only to keys that can download the file, and only from builds that are not in the trash', async () => {
  const { old, next } = await patchedPair()
  const { workspaceId, applicationId, applicationKey: key } = tenant
  const foreign = await service.tenant()
  assert.equal((await getPatches(next, foreign.workspaceKey)).status, 404)
  const stranger = await service.key(workspaceId, applicationId, ['releases:read'])
  assert.equal((await getPatches(next, stranger)).status, 403)
  assert.equal((await getPatches(next, null)).status, 401)
  const path = `/applications/${applicationId}/builds/${old.build.id}`
  assert.equal((await service.call('DELETE', path, { key })).status, 200)
  assert.deepEqual((await getPatches(next)).body.data, [])
  assert.equal((await service.call('POST', `${path}/restore`, { key })).status, 200)
  assert.equal((await getPatches(next)).body.data.length, 1)
})

test('offers visitors of a link only the patch from the file that they name', async () => {
  const { old, next } = await patchedPair()
  const { applicationId, applicationKey: key } = tenant
  const path = `/applications/${applicationId}/builds/${next.build.id}/share-links`
  const { data: link } = (await service.call('POST', path, { key, body: {} })).body
  const { body } = await service.call(
    'POST',
    `/public/share-links/${link.id}/${link.url.split('/').at(-1)}/downloads`,
    { body: { build_id: next.build.id } },
  )
  const url = new URL(body.primary_file.patches_url)
  const find = async (query: string, at = url.pathname) =>
    service.call('GET', `${at.replace('/api/v1', '')}${query}`)
  assert.equal((await find('')).body.data, null)
  assert.equal((await find(`?from=${sha256(next.bytes)}`)).body.data, null)
  const { data } = (await find(`?from=${sha256(old.bytes)}`)).body
  assert.ok((await restore(data.temp_url, old.bytes)).equals(next.bytes))
  const [expires, fileId, signature] = url.pathname.split('/').at(-1)!.split('.')
  const changed = [
    `${expires}.${old.build.primary_file.id}.${signature}`,
    `${Number(expires) + 1}.${fileId}.${signature}`,
    `${expires}.${fileId}.${signature}x`,
  ]
  for (const token of changed) assert.equal((await find('', `/public/patches/${token}`)).status, 404)
})

test('deletes a patch 30 days after it was created, and with either of its builds', async () => {
  const { db } = service.deps
  const isMarked = async (key = '') => {
    const object = db.selectFrom('stored_objects').select('deleted_at').where('key', '=', key)
    return (await object.executeTakeFirstOrThrow()).deleted_at !== null
  }
  const aged = await patchedPair()
  const agedRow = await findRow(aged.next)
  const setAge = (days: number) =>
    sql`update file_patches set created_at = now() - make_interval(days => ${days}::int)
      where file_id = ${aged.next.build.primary_file.id}`.execute(db)
  await setAge(29)
  await dropPatches.handle(service.deps, {}, neverStopping)
  assert.ok(await findRow(aged.next))
  await setAge(30)
  await dropPatches.handle(service.deps, {}, neverStopping)
  assert.equal(await findRow(aged.next), undefined)
  assert.ok(await isMarked(agedRow?.object_key ?? ''))
  for (const side of ['old', 'next'] as const) {
    const pair = await patchedPair()
    const row = await findRow(pair.next)
    await purgeBuild(service, pair[side].build.id)
    assert.equal(await findRow(pair.next), undefined)
    assert.ok(await isMarked(row?.object_key ?? ''), side)
  }
})

test('creates no patch of files that are too large, equal, of another kind or compressed anew', async () => {
  const handle = (uploaded: Uploaded, patchMaxMb: number) => {
    const deps: Deps = { ...service.deps, config: { ...service.deps.config, patchMaxMb } }
    return patchBuild.handle(deps, { buildId: uploaded.build.id }, neverStopping)
  }
  const patchNone = async () => {}
  const { next: large, stream } = await uploadPair(patchNone)
  await rereadWithoutPatches()
  await handle(large, 1)
  await handle(large, 0)
  assert.equal(await findRow(large), undefined)
  const equal = await upload(large.bytes as Buffer, { stream })
  const other = await upload(programWith(7, large.bytes as Buffer), {
    stream,
    primary_file: { filename: 'symbols.bin' },
  })
  const anew = await upload(randomBytes(1_500_000), { stream })
  await rereadWithoutPatches()
  for (const one of [equal, other, anew]) await handle(one, 1024)
  assert.equal(await findRow(equal), undefined)
  assert.equal(await findRow(other), undefined)
  const row = await findRow(anew)
  assert.match(row?.failure ?? '', /would not save/)
  await handle(anew, 1024)
  assert.equal((await findRow(anew))?.attempts, 1)
})

/** Computes chunk indexes without the jobs that create patches. */
async function rereadWithoutPatches() {
  const queue = { ...service.deps.queue, enqueue: async () => {} }
  await rereadBuilds.handle({ ...service.deps, queue }, {}, neverStopping)
}

test('gives up a file whose process exceeds a limit twice, and removes its temporary files', async () => {
  const { next } = await uploadPair(rereadWithoutPatches)
  const limits = { cpuSeconds: 30, wallSeconds: 30, memoryBytes: 16 * 1024 ** 2, fileBytes: 2 ** 30 }
  const deps: Deps = { ...service.deps, patcher: createPatcher({ log, limits }) }
  const run = (using = deps) => patchBuild.handle(using, { buildId: next.build.id }, neverStopping)
  await assert.rejects(run(), InspectionAborted)
  assert.deepEqual(await scratchFolders(), [])
  await run()
  const row = await findRow(next)
  assert.equal(row?.attempts, 2)
  assert.match(row?.failure ?? '', /limit/)
  await run(service.deps)
  assert.equal((await findRow(next))?.object_key, null)
  assert.deepEqual(await scratchFolders(), [])
})

/** Kills the next process that creates a patch to the file. */
function killNextProcessOf({ build }: Uploaded): void {
  const folder = `patch-${build.primary_file.id}`
  const watch = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess }
    child.once('spawn', () => {
      if (!child.spawnargs.some((argument) => argument.includes(folder))) return
      unsubscribe('child_process', watch)
      killGroup(child)
    })
  }
  subscribe('child_process', watch)
}

test('creates the patch in the next attempt after its process or the service was killed', async () => {
  const { old, next } = await uploadPair(rereadWithoutPatches)
  const buildId = next.build.id
  killNextProcessOf(next)
  await assert.rejects(patchBuild.handle(service.deps, { buildId }, neverStopping), InspectionAborted)
  assert.deepEqual(await scratchFolders(), [])
  // What services leave that were killed: one now, and one on another day.
  const [recent, abandoned] = ['patch-recent', 'patch-abandoned'].map((name) =>
    join(service.dataDir, 'scratch', name),
  ) as [string, string]
  for (const folder of [recent, abandoned]) await mkdir(folder, { recursive: true })
  await utimes(abandoned, 0, 0)
  await patchBuild.handle(service.deps, { buildId }, neverStopping)
  await stat(recent)
  await assert.rejects(stat(abandoned))
  const [patch] = (await getPatches(next)).body.data
  assert.ok((await restore(patch.temp_url, old.bytes)).equals(next.bytes))
})

test('does not count an attempt that ended because the service stopped', async () => {
  const { next } = await uploadPair(rereadWithoutPatches)
  const stopping = new AbortController()
  const patcher: Deps['patcher'] = {
    createPatch(patching, signal) {
      stopping.abort()
      return service.deps.patcher.createPatch(patching, signal)
    },
  }
  const stopped = patchBuild.handle({ ...service.deps, patcher }, { buildId: next.build.id }, stopping.signal)
  await assert.rejects(stopped)
  assert.deepEqual(await findRow(next).then((row) => [row?.attempts, row?.failure]), [0, null])
  await patchBuild.handle(service.deps, { buildId: next.build.id }, neverStopping)
  assert.notEqual((await findRow(next))?.object_key, null)
})
