import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonInProcess } from './run-in-process.ts'
import type { Service } from './running-server.ts'

/** Files are written in chunks, because `randomBytes` returns at most 2 GiB. */
const chunkBytes = 64 * 1024 * 1024

/** Creates a file of random bytes in a new folder. */
export async function randomFile(service: Service, name: string, sizeBytes: number): Promise<string> {
  const folder = join(service.folder, randomBytes(6).toString('hex'))
  await mkdir(folder)
  const path = join(folder, name)
  await using file = await open(path, 'wx')
  for (let written = 0; written < sizeBytes; written += chunkBytes)
    await file.writeFile(randomBytes(Math.min(chunkBytes, sizeBytes - written)))
  return path
}

export async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Downloads a build and returns the SHA-256 of its primary file. */
export async function downloadedSha256(service: Service, buildId: string): Promise<string> {
  const target = join(service.folder, `${buildId}.download`)
  await jsonInProcess(service, ['download', buildId, '--output', target])
  return sha256(target)
}

/** Returns the paths of the state files of unfinished uploads. */
export async function stateFiles(service: Service): Promise<string[]> {
  const folder = join(service.folder, 'state', 'quayside', 'uploads')
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name))
}
