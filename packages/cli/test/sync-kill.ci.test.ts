import assert from 'node:assert/strict'
import { appendFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { noise, sequence, words, writeFiles } from './archived-folder.ts'
import { jsonInProcess } from './run-in-process.ts'
import { runJson, startQuayside } from './run-quayside.ts'
import { startService } from './running-server.ts'
import type { InProcessService } from './running-server.ts'
import { treeOf } from './synced-folder.ts'

const kills = Number(process.env['QUAYSIDE_SYNC_KILLS'] ?? 8)
const seed = Number(process.env['QUAYSIDE_SEED'] ?? Date.now() % 10_000)
const mib = 1024 * 1024
let service: InProcessService

before(async () => {
  service = await startService()
  await jsonInProcess(service, ['applications', 'create', 'Game', '--platform', 'generic'])
})

after(() => service.close())

test('always ends with exactly the build after kills at random moments', async (t) => {
  t.diagnostic(`QUAYSIDE_SEED=${seed}`)
  const next = sequence(seed)
  const [build, folder] = [join(service.folder, 'Build'), join(service.folder, 'synced')]
  await writeFiles(build, {
    ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index}.pak`, noise(2 * mib, next)])),
    ...Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`text/${index}`, words(5000, next)])),
    'code.bin': words(4 * mib, next),
  })
  let durationMs = 3000
  let killed = 0
  for (let night = 1; killed < kills; night++) {
    await appendFile(join(build, `${night % 12}.pak`), noise(mib, next))
    await writeFile(join(build, `text/${night}`), words(6000, next))
    await writeFile(join(build, `added-${night}`), noise(mib, next))
    await rm(join(build, `added-${night - 2}`), { force: true })
    const args = ['upload', build, '--version', `1.0.${night}`]
    const { build_id } = await jsonInProcess<{ build_id: string }>(service, args)
    if (night % 3 !== 0) await service.indexChunks(build_id)
    for (let round = 0; round < 2; round++) {
      const { child, ended } = startQuayside(service, ['sync', build_id, folder])
      await Promise.race([sleep(durationMs * next()), ended])
      child.kill('SIGKILL')
      const { signal } = await ended
      if (signal === 'SIGKILL') killed++
    }
    const start = performance.now()
    await runJson(service, ['sync', build_id, folder])
    durationMs = performance.now() - start
    assert.deepEqual(await treeOf(folder), await treeOf(build))
    assert.deepEqual(await readdir(join(folder, '.quayside')), ['state.json'])
  }
})
