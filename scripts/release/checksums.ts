import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Release } from './release.ts'

export const checksumsFile = 'SHA256SUMS'

export type Artifact = { name: string; sha256: string }

/** Returns the names of all files in the folder of a release, including the checksums and their signatures. */
export const listAllFiles = async (folder: string): Promise<string[]> => (await readdir(folder)).toSorted()

/** Returns the artifacts that are in the folder of a release, in the order of their names. */
export async function listArtifacts(folder: string): Promise<Artifact[]> {
  const names = (await listAllFiles(folder)).filter((name) => !name.startsWith(checksumsFile))
  return Promise.all(names.map(async (name) => ({ name, sha256: await hashFile(join(folder, name)) })))
}

/** Writes the checksums of all artifacts in the format of `sha256sum`. */
export async function writeChecksums({ folder, log }: Pick<Release, 'folder' | 'log'>): Promise<void> {
  const artifacts = await listArtifacts(folder)
  const lines = artifacts.map(({ name, sha256 }) => `${sha256}  ${name}\n`)
  await writeFile(join(folder, checksumsFile), lines.join(''))
  log(checksumsFile)
}

/** Returns the checksum of a file as hexadecimal digits. */
export async function hashFile(path: string, algorithm = 'sha256'): Promise<string> {
  const hash = createHash(algorithm)
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
