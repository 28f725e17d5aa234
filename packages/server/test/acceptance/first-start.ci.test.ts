import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { uploadAndDownload } from './client.ts'
import { prepareService, type Service, type Victim } from './npm-start.ts'
import { processesIn } from './processes.ts'
import { until } from './until.ts'

const skip = process.platform !== 'linux' && 'needs /proc'

type Stage = { name: string; isReached: (service: Service) => boolean }

// The stages of a first start. Each is detected by files or processes in the data folder.
const initdb: Stage = {
  name: 'initdb is running',
  isReached: ({ dataDir }) => isProcessRunning(dataDir, /initdb/),
}
const databaseFolder: Stage = {
  name: 'the database folder is being set up',
  isReached: ({ dataDir }) => existsSync(join(dataDir, 'postgres', 'PG_VERSION')),
}
const postgres: Stage = {
  name: 'PostgreSQL is starting',
  isReached: (service) => service.databasePid() !== undefined,
}
const migrations: Stage = {
  name: 'migrations are running',
  isReached: ({ dataDir }) => isProcessRunning(dataDir, /quayside quayside/),
}

/** The interruptions during a first start, in order. Each entry names the stage at which the victim is killed. */
const interruptions: [victim: Victim, stage: Stage][] = [
  ['service', initdb],
  ['everything', initdb],
  ['service', databaseFolder],
  ['both', postgres],
  ['service', migrations],
  ['everything', migrations],
]

const isProcessRunning = (dataDir: string, pattern: RegExp): boolean =>
  processesIn(dataDir).some(({ command }) => pattern.test(command.join(' ')))

/**
 * Starts the service and waits for a stage. A busy machine may run initdb between two polls; the first start is then
 * repeated in an empty data folder.
 */
async function launchUntil(service: Service, { name, isReached }: Stage): Promise<void> {
  for (;;) {
    service.launch()
    const outcome = await until(name, async () => {
      if (isReached(service)) return 'reached'
      return (await service.isReady()) && 'missed'
    })
    if (outcome === 'reached') return
    await service.kill('everything')
    for (const entry of await readdir(service.dataDir))
      await rm(join(service.dataDir, entry), { recursive: true, force: true })
  }
}

describe('an interrupted first start', { skip, concurrency: 2 }, () => {
  test('completes after the service, alone or with its child processes, is killed in each stage', async () => {
    const service = await prepareService({ isNew: true })
    try {
      for (const [victim, stage] of interruptions) {
        await launchUntil(service, stage)
        await service.kill(victim)
      }
      await service.start()
      await uploadAndDownload(service, 'After the kills')
    } finally {
      await service.remove()
    }
  })

  test('completes after repeated kills at progressively later points', async () => {
    const service = await prepareService({ isNew: true })
    try {
      let isReady = false
      // Random intervals let different runs kill the service at different points.
      for (let timeoutMs = 500 + Math.random() * 500; !isReady; timeoutMs *= 3) {
        service.launch()
        isReady = await until('the service is ready', service.isReady, { withinMs: timeoutMs }).catch(
          () => false,
        )
        await service.kill('service')
      }
      await service.start()
      await uploadAndDownload(service, 'After the last kill')
    } finally {
      await service.remove()
    }
  })
})

describe('a running service', () => {
  let service: Service

  before(async () => {
    service = await prepareService({ usesNpm: true })
    await service.start()
  })
  after(() => service.remove())

  test('keeps running when a second start with the same data folder fails', async () => {
    const second = await prepareService({ dataDir: service.dataDir })
    const [servicePid, databasePid] = [service.servicePid(), service.databasePid()]
    const { exited, output } = second.launch()
    assert.notEqual(await exited, 0)
    assert.match(output(), /Quayside is already running with the data folder/)
    assert.ok(output().includes(service.dataDir))
    assert.ok(await service.isReady())
    assert.deepEqual([service.servicePid(), service.databasePid()], [servicePid, databasePid])
    await uploadAndDownload(service, 'Undisturbed')
  })

  test('causes a second start with the same port to fail without leaving processes behind', async () => {
    const other = await prepareService({ settings: { QUAYSIDE_PORT: String(service.port) } })
    try {
      const { exited, output } = other.launch()
      assert.notEqual(await exited, 0)
      assert.match(output(), new RegExp(`Port ${service.port} .* is in use`))
      assert.deepEqual(processesIn(other.dataDir), [])
    } finally {
      await other.remove()
    }
  })

  test('shuts down before the next npm start takes over its data folder', async () => {
    await service.kill('npm')
    await service.start()
    service.current().main.kill('SIGTERM')
    await service.start()
    await uploadAndDownload(service, 'After both')
  })
})
