import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onceResolved } from '../lib/once.ts'

export type CliBundle = { code: Buffer; sha256: string }

const child = fileURLToPath(new URL('./bundle.child.ts', import.meta.url))

/**
 * Returns a function that resolves with the CLI as a single file, which uses the server at `serverUrl` by default. The
 * first call builds the file; if the build fails, the next call tries again.
 */
export function createCliBundle(serverUrl: string): () => Promise<CliBundle> {
  return onceResolved(() => buildCliBundle(serverUrl))
}

async function buildCliBundle(serverUrl: string): Promise<CliBundle> {
  // The bundler runs in a separate process, because it would retain about 100 MB of memory in this one.
  const { stdout: code } = await promisify(execFile)(process.execPath, [child, serverUrl], {
    encoding: 'buffer',
    maxBuffer: 16 * 1024 * 1024,
    timeout: 60_000,
  })
  return { code, sha256: createHash('sha256').update(code).digest('hex') }
}
