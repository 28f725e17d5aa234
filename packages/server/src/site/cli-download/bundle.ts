import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cliFolder } from '../../config/package-files.ts'
import { onceResolved } from '../../lib/once.ts'
import { isErrno, problem } from '../../lib/problem.ts'

export type CliBundle = { code: Buffer; sha256: string }

/** Stands for the URL of the server in the file that `npm run build` writes. */
export const serverPlaceholder = 'QUAYSIDE_DEFAULT_SERVER'

/**
 * Returns a function that resolves with the CLI as a single file, which uses the server at `serverUrl` by default.
 * The function rejects with 503 if the file is not built.
 */
export function createCliBundle(serverUrl: string): () => Promise<CliBundle> {
  return onceResolved(async () => {
    const built = await readFile(join(cliFolder, 'quayside.mjs'), 'utf8').catch((error: unknown) => {
      if (!isErrno(error, 'ENOENT')) throw error
      throw cliNotBuilt()
    })
    const code = Buffer.from(built.replaceAll(serverPlaceholder, () => escapeInLiteral(serverUrl)))
    return { code, sha256: createHash('sha256').update(code).digest('hex') }
  })
}

const cliNotBuilt = problem(
  'unavailable',
  'cli.not_built',
  'The command line is not built. Run `npm run build` in the folder of the code.',
)

/** Escapes text for a string or template literal, because a minifier chooses the quotes. */
const escapeInLiteral = (text: string): string =>
  text.replaceAll(/["'`$\\\p{Cc}]/gu, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${code}`
  })
