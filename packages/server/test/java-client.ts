import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Framing } from './ci-clients.ts'

const run = promisify(execFile)

/** The reason to skip tests that run Java, or false. */
export const missingJdk =
  spawnSync('javac', ['-version']).status === 0 && spawnSync('java', ['-version']).status === 0
    ? false
    : 'requires a JDK (javac and java)'

/** Compiles a client that sends PUTs with the HttpClient of Java, and returns a function that sends one. */
export async function compileJavaClient() {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-java-'))
  await run('javac', ['-d', folder, join(import.meta.dirname, 'JavaClient.java')])
  const file = join(folder, 'body')
  return {
    async put(url: string, bytes: Buffer, framing: Framing, headers: Record<string, string> = {}) {
      await writeFile(file, bytes)
      // Java sets the length of a body itself, unless this option allows a program to do so.
      const options = ['-Djdk.httpclient.allowRestrictedHeaders=content-length', '-cp', folder, 'JavaClient']
      const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length')
      const body = [framing, file, url]
      const { stdout } = await run('java', [...options, ...body, ...others.flat()])
      const [status = '', etag = '', ...lines] = stdout.split('\n')
      return { status: Number(status), etag, text: lines.join('\n') }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
