import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from './lib/problem.ts'

/** Returns the master secret of the data folder, created on the first start; concurrent starts use the same one. */
export async function masterSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret')
  const existing = await readFile(path, 'utf8').catch(() => undefined)
  if (existing !== undefined) return existing.trim()
  await writePrivateFile(path, `${randomBytes(32).toString('base64url')}\n`)
  return (await readFile(path, 'utf8')).trim()
}

/** Atomically writes a file that only its owner can read; an existing file is kept. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await link(temporary, path).catch((error: unknown) => {
    if (!isErrno(error, 'EEXIST')) throw error
  })
  await rm(temporary)
}
