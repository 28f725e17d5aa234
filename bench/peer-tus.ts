import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPeer } from './peer-packages.ts'
import { killOnExit } from './service.ts'

const program = `
  import { createServer } from 'node:http'
  import { FileStore } from '@tus/file-store'
  import { Server } from '@tus/server'
  const tus = new Server({ path: '/files', datastore: new FileStore({ directory: process.argv[1] }) })
  const server = createServer((request, response) => tus.handle(request, response))
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

/** Starts @tus/server with its file store, which neither hashes nor syncs files. Installs it first if necessary. */
export async function startTus() {
  const packages = await installPeer('@tus/server@2.4.5', '@tus/file-store@2.1.1')
  const folder = await mkdtemp(join(tmpdir(), 'quayside-bench-tus-'))
  // Node finds the packages of a program that is not a file in its working directory.
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, folder], {
    cwd: packages,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  killOnExit(child)
  const started = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => undefined)])
  if (started === undefined) throw new Error(`The tus server exited with code ${child.exitCode}.`)
  return {
    url: `http://127.0.0.1:${Number(String(started[0]))}/files`,
    /** Returns the headers of a request that creates an upload and sends its bytes. */
    headersFor: (sizeBytes: number) => ({
      'Tus-Resumable': '1.0.0',
      'Upload-Length': String(sizeBytes),
      'Content-Type': 'application/offset+octet-stream',
    }),
    async removeFiles(): Promise<void> {
      for (const name of await readdir(folder)) await rm(join(folder, name))
    },
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
