// No other file in this package accesses the global `process`.
import { runQuayside } from './program.ts'

const exitCodeBySignal = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
type Signal = keyof typeof exitCodeBySignal

const interrupted = new AbortController()
let receivedSignal: Signal | undefined

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (receivedSignal !== undefined) process.exit(exitCodeBySignal[signal])
    receivedSignal = signal
    interrupted.abort()
  })
}
// The reader of a pipe may stop early (`| head`). This is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

if (Object.keys(process.env).some((name) => /^https?_proxy$/i.test(name))) {
  const http = await import('node:http')
  // This function is available in Node 24.5 and later.
  if ('setGlobalProxyFromEnv' in http) http.setGlobalProxyFromEnv(process.env)
}

const exitCode = await runQuayside(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupted.signal,
})
process.exitCode = receivedSignal === undefined ? exitCode : exitCodeBySignal[receivedSignal]
