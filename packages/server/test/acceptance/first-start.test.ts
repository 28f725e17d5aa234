import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { uploadAndDownload } from './client.ts'
import { prepareService, type Service } from './npm-start.ts'
import { processesIn, until } from './processes.ts'

const skip = process.platform !== 'linux' && 'needs /proc'

const victimNames = {
  service: 'the service',
  both: 'the service and PostgreSQL',
  everything: 'all processes',
}

type Stage = { name: string; isReached: (service: Service) => boolean; victim: keyof typeof victimNames }

/** The stages of a first start, each detected by files and processes in the data folder. */
const stages: Stage[] = [
  {
    name: 'initdb is running',
    isReached: ({ dataDir }) => isProcessRunning(dataDir, /initdb/),
    victim: 'service',
  },
  {
    name: 'initdb is running',
    isReached: ({ dataDir }) => isProcessRunning(dataDir, /initdb/),
    victim: 'everything',
  },
  {
    name: 'the database folder is being set up',
    isReached: ({ dataDir }) => existsSync(join(dataDir, 'postgres', 'PG_VERSION')),
    victim: 'service',
  },
  {
    name: 'PostgreSQL is starting',
    isReached: (service) => service.databasePid() !== undefined,
    victim: 'both',
  },
  {
    name: 'migrations are running',
    isReached: ({ dataDir }) => isProcessRunning(dataDir, /quayside quayside/),
    victim: 'service',
  },
  {
    name: 'migrations are running',
    isReached: ({ dataDir }) => isProcessRunning(dataDir, /quayside quayside/),
    victim: 'everything',
  },
]

const isProcessRunning = (dataDir: string, pattern: RegExp): boolean =>
  processesIn(dataDir).some(({ command }) => pattern.test(command.join(' ')))

describe('an interrupted first start', { skip }, () => {
  for (const { name, isReached, victim } of stages) {
    test(`is completed by the next npm start after SIGKILL stops ${victimNames[victim]} while ${name}`, async () => {
      const service = await prepareService()
      try {
        service.launch()
        await until(name, () => isReached(service), { everyMs: 12 })
        await service.kill(victim)
        await service.start()
        await uploadAndDownload(service, 'After the kill')
      } finally {
        await service.remove()
      }
    })
  }

  test('completes after repeated kills at increasingly later points', async () => {
    const service = await prepareService()
    try {
      let isReady = false
      for (let timeoutMs = 300; !isReady; timeoutMs *= 1.5) {
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

test('a second npm start with the same data folder exits with an error and does not affect the first', async () => {
  const service = await prepareService()
  const second = await prepareService({ dataDir: service.dataDir })
  try {
    await service.start()
    const [servicePid, databasePid] = [service.servicePid(), service.databasePid()]
    const { exited, output } = second.launch()
    assert.notEqual(await exited, 0)
    assert.match(output(), /Quayside is already running on the data folder/)
    assert.ok(output().includes(service.dataDir))
    assert.ok(await service.isReady())
    assert.deepEqual([service.servicePid(), service.databasePid()], [servicePid, databasePid])
    await uploadAndDownload(service, 'Undisturbed')
  } finally {
    await service.remove()
  }
})

test('npm start waits for a previous instance that is still shutting down', async () => {
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

test('npm start exits with an error when the port is in use', async () => {
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
