import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { fileOf } from './driver.suite.ts'
import type { SealedObject } from './driver.ts'
import { createLocalDriver, type LocalDriver, type LocalDriverOptions } from './local-driver.ts'

/** Opens a local driver in its own folder behind a real server on a free port, and closes both after the test. */
export async function openLocalDriver(
  t: { after(work: () => Promise<void>): void },
  options: Partial<LocalDriverOptions> = {},
) {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'quayside-storage-')))
  const manifests = new Map<string, SealedObject>()
  const opened: { driver?: LocalDriver } = {}
  const server = createServer({ requestTimeout: 0 })
  server.on('request', (request, response) => opened.driver?.handle(request, response))
  server.on('checkContinue', (request, response) => opened.driver?.handleContinue(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const driver = await createLocalDriver({
    directory,
    publicUrl: origin,
    secret: 'a test secret that is long enough',
    clock: { now: () => new Date() },
    log: pino({ level: 'silent' }),
    findObject: async (key) => manifests.get(key),
    reservedFreeBytes: 0,
    ...options,
  })
  opened.driver = driver
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await driver.close()
    await rm(directory, { recursive: true, force: true })
  })
  return {
    driver,
    directory,
    server,
    origin,
    commit: (object: SealedObject) => void manifests.set(object.key, object),
  }
}

/** Opens a local driver and signs a URL that accepts exactly these bytes. */
export async function openUpload(
  t: Parameters<typeof openLocalDriver>[0],
  bytes: Buffer<ArrayBuffer>,
  options: Parameters<typeof openLocalDriver>[1] = {},
) {
  const local = await openLocalDriver(t, options)
  const file = fileOf(bytes)
  const { url } = await local.driver.signPut(file, { expiresInSeconds: 60 })
  const staged = async () => (await local.driver.listStaged(file.key, '')).map(({ etag }) => etag)
  const temporary = () => readdir(join(local.directory, 'tmp'))
  return { ...local, file, url, target: url.slice(local.origin.length), staged, temporary }
}

/** Waits until the condition holds; throws after ten seconds. */
export async function until(description: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`timed out waiting for ${description}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
