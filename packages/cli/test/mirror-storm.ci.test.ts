import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMirroring } from './mirroring.ts'
import { startQuayside } from './run-quayside.ts'
import { startServerProcess } from './running-server.ts'

const buildsPerClient = Number(process.env['QUAYSIDE_MIRROR_BUILDS'] ?? 2)

test(
  'mirrors every build exactly once while 30 clients upload and the server and mirror are repeatedly killed',
  { timeout: 150_000 * buildsPerClient },
  async (t) => {
    const service = await startServerProcess()
    t.after(() => service.close())
    // Resolves when the service is running again after it has been killed.
    let restarted = Promise.resolve()
    const { client, application_id, folder, mirror, persistently, upload, copiedCount, assertMirrors } =
      await createMirroring(service, () => restarted)
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
