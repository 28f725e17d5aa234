import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { SealedObject } from './driver.ts'
import { createLocalDriver, type LocalDriver, type LocalDriverOptions } from './local-driver.ts'

export type LocalDriverFixture = {
  driver: LocalDriver
  directory: string
  server: Server
  origin: string
  commit: (object: SealedObject) => void
}

/** A local driver behind a real server on a free port, in a folder of its own; gone after the test. */
export async function openLocalDriver(
  t: { after(work: () => Promise<void>): void },
  options: Partial<LocalDriverOptions> = {},
): Promise<LocalDriverFixture> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'quayside-storage-')))
  const manifests = new Map<string, SealedObject>()
  const opening: { driver?: LocalDriver } = {}
  const server = createServer({ requestTimeout: 0 })
  server.on('request', (request, response) => opening.driver?.handle(request, response))
  server.on('checkContinue', (request, response) => opening.driver?.handleContinue(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const driver = await createLocalDriver({
    directory,
    publicUrl: origin,
    secret: 'a secret of the tests, long enough to be one',
    clock: { now: () => new Date() },
    log: pino({ level: 'silent' }),
    lookup: async (key) => manifests.get(key),
    reservedFreeBytes: 0,
    ...options,
  })
  opening.driver = driver
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await driver.close()
    await rm(directory, { recursive: true, force: true })
  })
  return { driver, directory, server, origin, commit: (object) => manifests.set(object.key, object) }
}
