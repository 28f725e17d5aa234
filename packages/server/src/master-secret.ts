import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The master secret of the data folder, made at the first start; of several that start at once one counts. */
export async function masterSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret')
  const existing = await readFile(path, 'utf8').catch(() => undefined)
  if (existing !== undefined) return existing.trim()
  await writePrivateFile(path, `${randomBytes(32).toString('base64url')}\n`)
  return (await readFile(path, 'utf8')).trim()
}

/** Writes a file that only its owner reads, whole or not at all; an existing one stays. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(temporary)
}
