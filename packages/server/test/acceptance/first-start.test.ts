import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { prepareService, type Service, type Victim } from './npm-start.ts'
import { uploadAndDownload } from './one-build.ts'
import { processesIn } from './processes.ts'
import { until } from './until.ts'

const skip = process.platform !== 'linux' && 'processes are found in /proc'

/** How far a first start has come, told by what lies in the data folder and who works there. */
const moments: { name: string; isReached: (service: Service) => boolean; victim: Victim }[] = [
  { name: 'initdb runs', isReached: ({ dataDir }) => runs(dataDir, /initdb/), victim: 'service' },
  { name: 'initdb runs', isReached: ({ dataDir }) => runs(dataDir, /initdb/), victim: 'everything' },
  {
    name: 'the database folder is in place',
    isReached: ({ dataDir }) => existsSync(join(dataDir, 'postgres', 'PG_VERSION')),
    victim: 'service',
  },
  { name: 'PostgreSQL starts', isReached: (service) => service.databasePid() !== undefined, victim: 'both' },
  {
    name: 'the migrations run',
    isReached: ({ dataDir }) => runs(dataDir, /quayside quayside/),
    victim: 'service',
  },
  {
    name: 'the migrations run',
    isReached: ({ dataDir }) => runs(dataDir, /quayside quayside/),
    victim: 'everything',
  },
]

const runs = (dataDir: string, pattern: RegExp): boolean =>
  processesIn(dataDir).some(({ command }) => pattern.test(command.join(' ')))

describe('the first start, killed with -9', { skip }, () => {
  for (const { name, isReached, victim } of moments) {
    test(`${victim} killed while ${name}, the next npm start completes it`, async () => {
      const service = await prepareService()
      try {
        service.launch()
        await until(name, () => isReached(service), { everyMs: 1 })
        await service.kill(victim)
        await service.start()
        await uploadAndDownload(service, 'After the kill')
      } finally {
        await service.remove()
      }
    })
  }

  test('killed again and again, a little later each time, it completes in the end', async () => {
    const service = await prepareService()
    try {
      let isReady = false
      for (let patienceMs = 300; !isReady; patienceMs *= 1.5) {
        service.launch()
        isReady = await until('the service is ready', service.isReady, { withinMs: patienceMs }).catch(
          () => false,
        )
        await service.kill('service')
      }
      await service.start()
      await uploadAndDownload(service, 'In the end')
    } finally {
      await service.remove()
    }
  })
})

test('a second npm start on the same data folder says so, ends with an error and disturbs nothing', async () => {
  const service = await prepareService()
  const second = await prepareService({ dataDir: service.dataDir })
  try {
    await service.start()
    const [servicePid, databasePid] = [service.servicePid(), service.databasePid()]
    const { exited, output } = second.launch()
    assert.notEqual(await exited, 0)
    assert.match(output(), /Quayside is running already on the data folder/)
    assert.ok(output().includes(service.dataDir))
    assert.ok(await service.isReady())
    assert.deepEqual([service.servicePid(), service.databasePid()], [servicePid, databasePid])
    await uploadAndDownload(service, 'Undisturbed')
  } finally {
    await service.remove()
  }
})

test('npm start right after kill -9 of npm, or SIGTERM: it waits for the service that is on its way out', async () => {
  const service = await prepareService()
  try {
    await service.start()
    await service.kill('npm')
    await service.start()
    service.current().npm.kill('SIGTERM')
    await service.start()
    await uploadAndDownload(service, 'After both')
  } finally {
    await service.remove()
  }
})

test('the port is taken by another program, npm start says so and ends with an error', async () => {
  const service = await prepareService()
  const other = await prepareService({ settings: { QUAYSIDE_PORT: String(service.port) } })
  try {
    await service.start()
    const { exited, output } = other.launch()
    assert.notEqual(await exited, 0)
    assert.match(output(), new RegExp(`Port ${service.port} .* is in use`))
    assert.deepEqual(processesIn(other.dataDir), [])
  } finally {
    await other.remove()
    await service.remove()
  }
})
