import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { readChunkIndex } from '@quayside/sdk/chunk-index'
import { rereadBuilds } from '../src/features/builds/inspection/reread-builds.job.ts'
import { databaseUrl } from './database.ts'
import { startOwnService, type Service, type Tenant } from './harness.ts'
import { programWith, restoreFromPatch } from './offered-patches.ts'
import { uploadedBuild, versionOf } from './uploading.ts'

const kills = Number(process.env['QUAYSIDE_INDEX_KILLS'] ?? 6)
const patchKills = Number(process.env['QUAYSIDE_PATCH_KILLS'] ?? 6)
const buildBytes = 12_000_000

type Uploaded = Awaited<ReturnType<typeof uploadedBuild>>

let service: Service
let tenant: Tenant

before(async () => {
  // The process that is killed opens a folder.
  service = await startOwnService({ environment: { QUAYSIDE_STORAGE: 'local' } })
  tenant = await service.tenant()
})
after(() => service.close())

/** Computes the indexes of all builds without the jobs that create patches. */
async function computeIndexes() {
  const queue = { ...service.deps.queue, enqueue: async () => {} }
  await rereadBuilds.handle({ ...service.deps, queue }, {}, new AbortController().signal)
}

const upload = () =>
  uploadedBuild(service, tenant, { primary_file: { filename: 'a.bin' } }, randomBytes(buildBytes))

/** Computes the index of a build, or its patches, in a process of its own. Kills it `killAfterMs` after it began. */
async function workInProcess(args: [string, 'indexes' | 'patches'], killAfterMs?: number): Promise<number> {
  const program = join(import.meta.dirname, 'index-and-patch.process.ts')
  const { dataDir, state } = service
  const child = spawn(process.execPath, ['--conditions=@quayside/source', program, ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl(state.connection), QUAYSIDE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), exited])
  const start = performance.now()
  if (killAfterMs !== undefined) {
    await Promise.race([pause(killAfterMs), exited])
    child.kill('SIGKILL')
  }
  const [code] = (await exited) as [number | null]
  if (killAfterMs === undefined) assert.equal(code, 0)
  return performance.now() - start
}

/** Returns whether the file has a chunk index. Fails if an index does not describe the bytes of the file. */
async function hasRightIndex({ build, bytes }: Uploaded): Promise<boolean> {
  const path = `/applications/${tenant.applicationId}/builds/${build.id}/files/${build.primary_file.id}/chunks`
  const { status, body } = await service.call('GET', path, { key: tenant.applicationKey })
  if (status === 404) {
    assert.equal(body.code, 'chunk_index.pending')
    return false
  }
  const response = await fetch(body.location)
  const index = readChunkIndex(new Uint8Array(await response.arrayBuffer()))
  assert.equal(index.fileBytes, bytes.length)
  for (const { start, sizeBytes, sha256 } of index.chunks) {
    const chunk = bytes.subarray(start, start + sizeBytes)
    assert.equal(createHash('sha256').update(chunk).digest('hex'), sha256)
  }
  return true
}

test(`serves no wrong chunk index while the process that computes them is killed ${kills} times`, async (t) => {
  const first = await upload()
  const uninterruptedMs = await workInProcess([first.build.id, 'indexes'])
  assert.ok(await hasRightIndex(first))

  const uploads: Uploaded[] = []
  let computed = 0
  for (let kill = 0; kill < kills; kill++) {
    const uploaded = await upload()
    uploads.push(uploaded)
    const killAfterMs = ((kill + Math.random()) / kills) * 1.5 * uninterruptedMs
    await workInProcess([uploaded.build.id, 'indexes'], killAfterMs)
    if (await hasRightIndex(uploaded)) computed++
  }
  t.diagnostic(`${computed} indexes were complete when the process was killed`)
  await computeIndexes()
  for (const uploaded of uploads) assert.ok(await hasRightIndex(uploaded))
})

const code = randomBytes(3_000_000)
let versions = 0

/** Uploads a program whose addresses differ from those of the other versions, so that their chunks differ. */
async function uploadVersion(): Promise<Uploaded> {
  const fields = { primary_file: { filename: 'tool.bin' }, ...versionOf(1, 0, ++versions) }
  return uploadedBuild(service, tenant, fields, programWith(16 * versions, code))
}

/** Returns whether the version has a patch. Fails if a patch does not restore it from the version before. */
async function hasRightPatch({ build, bytes }: Uploaded, previous: Uploaded): Promise<boolean> {
  const path = `/applications/${tenant.applicationId}/builds/${build.id}/files/${build.primary_file.id}/patches`
  const { body } = await service.call('GET', path, { key: tenant.applicationKey })
  for (const { temp_url } of body.data)
    assert.ok((await restoreFromPatch(temp_url, previous.bytes, service.dataDir)).equals(bytes))
  return body.data.length > 0
}

test(`offers no wrong patch while the process that creates them is killed ${patchKills} times`, async (t) => {
  const first = await uploadVersion()
  const second = await uploadVersion()
  await computeIndexes()
  const uninterruptedMs = await workInProcess([second.build.id, 'patches'])
  assert.ok(await hasRightPatch(second, first))

  let previous = second
  let created = 0
  for (let kill = 0; kill < patchKills; kill++) {
    const version = await uploadVersion()
    await computeIndexes()
    const killAfterMs = ((kill + Math.random()) / patchKills) * 1.2 * uninterruptedMs
    await workInProcess([version.build.id, 'patches'], killAfterMs)
    if (await hasRightPatch(version, previous)) created++
    // The killed process may have left another one, which still creates the patch.
    await workInProcess([version.build.id, 'patches'])
    assert.ok(await hasRightPatch(version, previous))
    previous = version
  }
  t.diagnostic(`${created} patches were complete when the process was killed`)
  const scratch = await readdir(join(service.dataDir, 'scratch'))
  assert.deepEqual(
    scratch.filter((name) => name.startsWith('patch-')),
    [],
  )
})
