import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, QuaysideError, QuaysideUnreachableError } from '@quayside/sdk'
import type { FullBuild, QuaysideClient } from '@quayside/sdk'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { startQuayside } from './run-quayside.ts'
import { bootstrapKey, startServerProcess } from './running-server.ts'
import type { ServerProcess } from './running-server.ts'

type Summary = {
  copied: number
  updated: number
  deleted: number
  releases: number
  received_bytes: number
}

const buildsPerClient = Number(process.env['QUAYSIDE_MIRROR_BUILDS'] ?? 2)
let service: ServerProcess
let client: QuaysideClient
let application_id: string
let folder: string
let number = 0

before(async () => {
  service = await startServerProcess()
  client = createClient({ baseUrl: service.url, apiKey: bootstrapKey })
})
after(() => service.close())
beforeEach(async () => {
  number++
  const created = await client.createApplication({
    body: { name: `App ${number}`, platforms: ['generic'] },
  })
  application_id = created.data.id
  folder = join(service.folder, `mirror-${number}`)
})

const mirror = (...options: string[]) =>
  jsonInProcess<Summary>(service, ['mirror', application_id, folder, ...options])

/** Resolves when the service is running again after it has been killed. */
let restarted = Promise.resolve()

/** Repeats a call while the service is unreachable. The call must be safe to repeat. */
async function persistently<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      const isUnavailable =
        error instanceof QuaysideUnreachableError ||
        error instanceof TypeError ||
        (error instanceof QuaysideError && error.status >= 500)
      if (!isUnavailable) throw error
      await Promise.all([restarted, sleep(20)])
    }
  }
}

async function upload(
  fields: { stream?: string; labels?: string[]; filename?: string; bytes?: Buffer } = {},
) {
  const { stream = 'default', filename = 'app.bin', bytes = randomBytes(2000), labels = [] } = fields
  const request = await persistently(() =>
    client.requestUpload({
      body: {
        application_id,
        platform: 'generic',
        source: 'cli-upload',
        stream,
        labels,
        primary_file: { filename, size_bytes: bytes.length },
        version_component_1_major: 1,
        version_component_2_minor: 0,
        version_component_3_patch: 0,
      },
    }),
  )
  const { url } = request.primary_file.presigned_data!
  await persistently(async () => {
    const response = await fetch(url, { method: 'PUT', body: Uint8Array.from(bytes) })
    const text = await response.text()
    if (response.status !== 200) throw new QuaysideError(response.status, text)
  })
  const verified = await persistently(() =>
    client.verifyUpload({ body: { pending_upload_id: request.pending_upload_id } }),
  )
  return { id: verified.build_id, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Returns the mirrored builds by ID, each with its folder and the SHA-256 of its primary file. */
async function mirrored(top = 'builds') {
  const found = new Map<string, { path: string; build: FullBuild; sha256: string }[]>()
  const all = await readdir(join(folder, top), { recursive: true }).catch(() => [])
  for (const path of all.filter((name) => /^[^/]+\/[^/]+\/build\.json$/.test(name))) {
    const home = join(folder, top, dirname(path))
    const build = JSON.parse(await readFile(join(home, 'build.json'), 'utf8')) as FullBuild
    const bytes = await readFile(join(home, 'files', build.primary_file.filename))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    found.set(build.id, [...(found.get(build.id) ?? []), { path: dirname(path), build, sha256 }])
  }
  return found
}

/** Counts the builds that the mirror has recorded. */
async function copiedCount(): Promise<number> {
  const names = await readdir(join(folder, '.quayside-mirror', 'builds'), {
    recursive: true,
  }).catch(() => [])
  return names.filter((name) => name.endsWith('.json')).length
}

async function assertMirrors(expected: { id: string; sha256: string }[]): Promise<void> {
  const found = [...(await mirrored())].map(([id, copies]) => [id, copies.map(({ sha256 }) => sha256)])
  assert.deepEqual(
    new Map(found as [string, string[]][]),
    new Map(expected.map(({ id, sha256 }) => [id, [sha256]])),
  )
}

test('mirrors builds and releases, including later edits, moves, deletions and restores', async () => {
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
  const build = await upload()
  await mirror()
  const path = join(folder, 'builds', 'default', `1.0.0_${build.id}`, 'files', 'app.bin')
  await writeFile(path, 'damaged')
  await rm(join(folder, '.quayside-mirror', 'state.json'))
  assert.equal((await mirror()).received_bytes, 2000)
  await assertMirrors([build])
})

test('compares the whole mirror with the server when the cursor is no longer valid', async () => {
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
  const other = await client.createApplication({ body: { name: `Other ${number}` } })
  const foreign = await runInProcess(service, ['mirror', other.data.id, folder])
  assert.match(foreign.stderr, /is a mirror of the application/)
})

test('locks a folder whose path is too long for a Unix-domain socket', async () => {
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
  const limited = await client.createWorkspaceApiKey({
    body: { name: 'limited', scopes: ['applications:read'] },
  })
  const failed = await runInProcess(service, ['mirror', application_id, folder, '--key', limited.data.key])
  assert.equal(failed.code, 3, failed.stderr)
  const other = await client.createApplication({ body: { name: `Other ${number}` } })
  const foreign = await runInProcess(service, ['mirror', other.data.id, folder])
  assert.match(foreign.stderr, /is a mirror of the application/)
})

test(
  'mirrors every build exactly once while 30 clients upload and the server and mirror are repeatedly killed',
  { timeout: 150_000 * buildsPerClient },
  async (t) => {
    const perClient = buildsPerClient
    const kills = Math.ceil(perClient * 0.6)
    const minMirrorKills = 2 * perClient
    const uploaded: Awaited<ReturnType<typeof upload>>[] = []
    const progress = { uploading: 30, isDone: false }
    const uploader = async () => {
      for (let turn = 0; turn < perClient; turn++) {
        const build = await upload({ stream: turn % 2 === 0 ? 'default' : 'nightlies' })
        uploaded.push(build)
        if (turn % 2 === 1)
          await persistently(() =>
            client.moveBuild({ application_id, build_id: build.id, body: { stream: 'stable' } }),
          )
      }
      progress.uploading--
    }
    const uploads = Promise.all(Array.from({ length: 30 }, uploader))
    let mirrorKills = 0
    const isFinished = async () => progress.isDone && (await copiedCount()) === uploaded.length
    const follow = async () => {
      while (mirrorKills < minMirrorKills && !(await isFinished())) {
        const run = startQuayside(service, ['mirror', application_id, folder, '--watch', '--interval', '1'])
        // Waits until the run has copied another build before killing it, so that every run makes progress.
        const before = await copiedCount()
        while (run.child.exitCode === null && (await copiedCount()) <= before && !(await isFinished()))
          await sleep(20)
        run.child.kill('SIGKILL')
        await run.ended
        mirrorKills++
      }
    }
    const following = follow()
    for (let kill = 0; kill < kills; kill++) {
      const goal = uploaded.length + Math.floor((30 * perClient) / (kills + 2))
      while (progress.uploading > 0 && uploaded.length < goal) await sleep(20)
      restarted = service.kill().then(() => service.start())
      await restarted
    }
    await uploads
    progress.isDone = true
    await following
    await mirror()
    await assertMirrors(uploaded)
    const listed = await client.listBuilds({ application_id, per_page: 1 })
    assert.equal(listed.pagination.total, uploaded.length)
    assert.deepEqual(await readdir(join(folder, '.quayside-mirror', 'discarded')).catch(() => []), [])
    assert.equal((await mirror()).received_bytes, 0)
    assert.ok(mirrorKills > 1)
    t.diagnostic(`${uploaded.length} builds, service killed ${kills} times, mirror ${mirrorKills} times`)
  },
)
