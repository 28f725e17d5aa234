import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { readChunkIndex } from '@quayside/sdk/chunk-index'
import { rereadBuilds } from '../src/features/builds/inspection/reread-builds.job.ts'
import { databaseUrl } from './database.ts'
import { startOwnService, type Service, type Tenant } from './harness.ts'
import { uploadedBuild } from './uploading.ts'

const kills = Number(process.env['QUAYSIDE_INDEX_KILLS'] ?? 6)
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

const upload = () =>
  uploadedBuild(service, tenant, { primary_file: { filename: 'a.bin' } }, randomBytes(buildBytes))

/** Computes the indexes of builds in a process of its own. Kills it `killAfterMs` after it began. */
async function indexInProcess(ids: string[], killAfterMs?: number): Promise<number> {
  const program = join(import.meta.dirname, 'chunk-indexer.process.ts')
  const { dataDir, state } = service
  const child = spawn(process.execPath, ['--conditions=@quayside/source', program, ...ids], {
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
  const uninterruptedMs = await indexInProcess([first.build.id])
  assert.ok(await hasRightIndex(first))

  const uploads: Uploaded[] = []
  let computed = 0
  for (let kill = 0; kill < kills; kill++) {
    const uploaded = await upload()
    uploads.push(uploaded)
    const killAfterMs = ((kill + Math.random()) / kills) * 1.5 * uninterruptedMs
    await indexInProcess([uploaded.build.id], killAfterMs)
    if (await hasRightIndex(uploaded)) computed++
  }
  t.diagnostic(`${computed} indexes were complete when the process was killed`)
  await rereadBuilds.handle(service.deps, {}, new AbortController().signal)
  for (const uploaded of uploads) assert.ok(await hasRightIndex(uploaded))
})
