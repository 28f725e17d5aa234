import { readFile } from 'node:fs/promises'
import { problem } from '../../lib/problem.ts'

const minCharacters = 12

/** Returns the first line of the file, or undefined without a path. */
export async function readPassphrase(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
  const [passphrase = ''] = (await readFile(path, 'utf8')).split(/\r?\n/)
  if (passphrase.length >= minCharacters) return passphrase
  throw passphraseTooShort({ path })
}

const passphraseTooShort = problem(
  'invalid',
  'config.invalid',
  `The first line of {path} must contain a passphrase of at least ${minCharacters} characters.`,
)
