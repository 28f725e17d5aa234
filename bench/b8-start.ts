import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fillBuilds } from './builds-data.ts'
import { openDatabase } from './database.ts'
import { folderOption, median, option, save, type Figure } from './report.ts'
import { cpuSeconds, startService } from './service.ts'

// B8 measures the time from process start to the first response and the idle memory, with a million builds and with a
// thousand builds.
const rounds = option('rounds', 5)
const idleSeconds = option('idle', 10)
const many = option('many', 1_000_000)
const few = option('few', 1_000)
const folders = {
  few: folderOption('few-builds', 'few-folder'),
  many: folderOption('builds'),
}

type Start = Awaited<ReturnType<typeof start>>

async function start(folder: string, count: number) {
  const begin = performance.now()
  const service = await startService({}, folder)
  const { listening: listeningMilliseconds, ready: readyMilliseconds } = service.startMs
  const readyCpuMilliseconds = (await cpuSeconds([service.pid])) * 1_000
  const { data } = await service.api<{ data: { id: string; name: string }[] }>(
    'GET',
    `/applications?search=${encodeURIComponent(`${count} builds`)}`,
  )
  const id = data.find(({ name }) => name === `${count} builds`)?.id
  await service.api('GET', `/applications/${id}/builds`)
  const firstListMilliseconds = performance.now() - begin
  await pause(idleSeconds * 1_000)
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8')
  const idleMb = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
  const stopBegin = performance.now()
  await service.stop()
  return {
    listeningMilliseconds,
    readyMilliseconds,
    readyCpuMilliseconds,
    firstListMilliseconds,
    idleMb,
    stopMilliseconds: performance.now() - stopBegin,
  }
}

async function fill(folder: string, count: number): Promise<void> {
  const service = await startService({}, folder)
  const database = openDatabase(service)
  await fillBuilds(service, database, count)
  await database.close()
  await service.stop()
}

const sizes = [
  { name: 'few', folder: folders.few, count: few },
  { name: 'many', folder: folders.many, count: many },
] as const
for (const { folder, count } of sizes) await fill(folder, count)
const measured = { few: [] as Start[], many: [] as Start[] }
for (let round = 0; round < rounds; round++)
  for (const { name, folder, count } of sizes) measured[name].push(await start(folder, count))

console.log('\nB8')
const figures: Figure[] = []
for (const { name, count } of sizes) {
  const medianOf = (key: keyof Start) => median(measured[name].map((start) => start[key])).toFixed(0)
  console.log(
    `  ${String(count).padStart(9)} builds: listening after ${medianOf('listeningMilliseconds')} ms, ready after ${medianOf('readyMilliseconds')} ms ` +
      `(${medianOf('readyCpuMilliseconds')} ms CPU), builds listed after ` +
      `${medianOf('firstListMilliseconds')} ms, ${medianOf('idleMb')} MB after ${idleSeconds} s idle, ` +
      `stopped in ${medianOf('stopMilliseconds')} ms`,
  )
  const goal = (figure: string, key: keyof Start, unit: string, atMost: number): Figure => ({
    name: `${figure}, ${count} builds`,
    value: Number(medianOf(key)),
    unit,
    atMost,
  })
  figures.push(
    goal('listening', 'listeningMilliseconds', 'ms', 600),
    goal('ready', 'readyMilliseconds', 'ms', 1_000),
    goal('idle memory', 'idleMb', 'MB', 120),
  )
}
await save('B8', { rounds, few, many, measured }, figures)
