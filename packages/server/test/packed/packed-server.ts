import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname } from 'node:path'
import { freePort } from '../acceptance/free-port.ts'
import { readiness } from '../acceptance/npm-start.ts'
import { until } from '../acceptance/until.ts'

export const key = 'bootstrap-key-of-the-packed-server-tests'

/** The environment of a user: the current Node, npm, and how npm reaches its registry. */
export const userEnvironment = () => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_(?!EXTRA_CA_CERTS)|QUAYSIDE_)/.test(name)),
  ),
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
})

export type PackedServer = Awaited<ReturnType<typeof startPackedServer>>

/** Starts the server that is installed in a folder, as a user does. Throws with its output if it exits. */
export async function startPackedServer(folder: string, settings: Record<string, string> = {}) {
  const port = settings['QUAYSIDE_PORT'] ?? String(await freePort())
  const url = `http://localhost:${port}`
  const environment = { QUAYSIDE_PORT: port, QUAYSIDE_BOOTSTRAP_KEY: key, ...settings }
  const service = spawn('npx', ['@quayside/server'], {
    cwd: folder,
    env: { ...userEnvironment(), ...environment },
    detached: true,
  })
  const exited = once(service, 'exit')
  let output = ''
  for (const stream of [service.stdout, service.stderr])
    stream.on('data', (text: Buffer) => (output += text.toString()))
  await until('the server is ready', async () => {
    if (service.exitCode !== null) throw new Error(output)
    return (await readiness(url)) === 200
  })
  return {
    url,
    environment,
    output: () => output,
    async stop(): Promise<void> {
      if (service.pid !== undefined && service.exitCode === null) process.kill(-service.pid, 'SIGTERM')
      await exited
    },
  }
}
