import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { fileOf, uploadParts } from '../driver.suite.ts'
import type { SealedObject } from '../driver.ts'
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
    diskReserve: { bytes: 0 },
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

/** Options for the download URLs that `openDownload` signs. */
export const download = {
  filename: 'größe "1".apk',
  contentType: 'application/vnd.android.package-archive',
  // On a busy machine, a test can take minutes.
  expiresInSeconds: 600,
}

/** Opens a driver, seals an object with these part sizes and signs a download URL for it. */
export async function openDownload(
  t: Parameters<typeof openLocalDriver>[0],
  sizes: number[],
  options: Parameters<typeof openLocalDriver>[1] = {},
) {
  const local = await openLocalDriver(t, options)
  const parts = sizes.map((size) => randomBytes(size))
  const whole = Buffer.concat(parts)
  const { object } = await uploadParts(local.driver, fileOf(whole), parts)
  local.commit(object)
  const url = await local.driver.signGet(object, download)
  const folder = join(local.directory, 'objects', object.key.slice(-2), object.key)
  return { ...local, object, whole, url, target: url.slice(local.origin.length), folder }
}

/** Returns the number of stored files that this process has open. */
export async function countOpenFiles(directory: string): Promise<number> {
  const descriptors = await readdir('/proc/self/fd')
  const paths = await Promise.all(
    descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
  )
  return paths.filter((path) => path.startsWith(join(directory, 'objects'))).length
}

/** Returns a log and the lines that were written to it. */
export function collectLog() {
  const texts: string[] = []
  const log = pino({ level: 'debug', base: null }, { write: (text: string) => void texts.push(text) })
  return { log, lines: () => texts.map((text) => JSON.parse(text) as Record<string, unknown>) }
}
