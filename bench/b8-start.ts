import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fillBuilds } from './builds-data.ts'
import { openDatabase } from './database.ts'
import { median, option, save, textOption } from './report.ts'
import { startService } from './service.ts'

// B8: from the start of the process to the first answer, and the memory at rest, with a million builds and with few.
const rounds = option('rounds', 5)
const restSeconds = option('rest', 10)
const many = option('many', 1_000_000)
const few = option('few', 1_000)
const folders = {
  few: textOption('few-folder', join(tmpdir(), 'quayside-bench-few-builds')),
  many: textOption('folder', join(tmpdir(), 'quayside-bench-builds')),
}

type Start = {
  readyMilliseconds: number
  firstListMilliseconds: number
  restMb: number
  stopMilliseconds: number
}

async function start(folder: string, count: number): Promise<Start> {
  const begin = performance.now()
  const service = await startService({}, folder)
  const readyMilliseconds = performance.now() - begin
  const { data } = await service.api<{ data: { id: string; name: string }[] }>(
    'GET',
    `/applications?search=${encodeURIComponent(`${count} builds`)}`,
  )
  const id = data.find(({ name }) => name === `${count} builds`)?.id
  await service.api('GET', `/applications/${id}/builds`)
  const firstListMilliseconds = performance.now() - begin
  await pause(restSeconds * 1_000)
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8')
  const restMb = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
  const stopping = performance.now()
  await service.stop()
  return { readyMilliseconds, firstListMilliseconds, restMb, stopMilliseconds: performance.now() - stopping }
}

async function fill(folder: string, count: number): Promise<void> {
  const service = await startService({}, folder)
  const database = openDatabase(service)
  await fillBuilds(service, database.pool, count)
  await database.close()
  await service.stop()
}

const sizes = [
  { name: 'few', folder: folders.few, count: few },
  { name: 'many', folder: folders.many, count: many },
]
for (const { folder, count } of sizes) await fill(folder, count)
const measured: Record<string, Start[]> = { few: [], many: [] }
for (let round = 0; round < rounds; round++)
  for (const { name, folder, count } of sizes) measured[name]?.push(await start(folder, count))

console.log('\nB8')
for (const { name, count } of sizes) {
  const starts = measured[name] ?? []
  const of = (key: keyof Start) => median(starts.map((each) => each[key])).toFixed(0)
  console.log(
    `  ${String(count).padStart(9)} builds: ready after ${of('readyMilliseconds')} ms, builds listed after ` +
      `${of('firstListMilliseconds')} ms, ${of('restMb')} MB after ${restSeconds} s of rest, ` +
      `stopped in ${of('stopMilliseconds')} ms`,
  )
}
await save('B8', { rounds, few, many, measured })
