// The process of the command line: the only file of this package that touches it.
import * as http from 'node:http'
import type { World } from './command-context.ts'
import { runQuayside } from './program.ts'

const interrupted = new AbortController()
const world: World = {
  env: process.env,
  cwd: process.cwd(),
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupted.signal,
  leaveSignals() {
    for (const signal of endSignals) process.removeListener(signal, end)
  },
}

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const exitCodeOfSignal = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
let endedBy: (typeof endSignals)[number] | undefined

function end(signal: (typeof endSignals)[number]): void {
  if (endedBy !== undefined) process.exit(exitCodeOfSignal[signal])
  endedBy = signal
  interrupted.abort()
}

for (const signal of endSignals) process.on(signal, end)
// Started by bin/quayside.js on an old Node: its end, however it came, is ours.
if (process.send) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
// Someone who reads only the first lines (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
if (Object.keys(process.env).some((name) => /^https?_proxy$/i.test(name)))
  http.setGlobalProxyFromEnv(process.env)

const code = await runQuayside(process.argv.slice(2), world)
// A server that runs on, or failed to start, has its own say.
process.exitCode = endedBy === undefined ? (process.exitCode ?? code) : exitCodeOfSignal[endedBy]
