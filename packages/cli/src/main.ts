// No other file in this package accesses the global `process`.
import { version } from './defaults.ts'

const exitCodeBySignal = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
type Signal = keyof typeof exitCodeBySignal

async function runProcess(): Promise<void> {
  const args = process.argv.slice(2)
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    // Scripts check the version often, and loading the program takes longer than starting Node.
    process.stdout.write(`${version}\n`)
    return
  }
  const interrupted = new AbortController()
  let receivedSignal: Signal | undefined

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (receivedSignal !== undefined) process.exit(exitCodeBySignal[signal])
      receivedSignal = signal
      interrupted.abort()
    })
  }
  // The program that reads the output may exit early, as in `quayside … | head`. This is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

  if (Object.keys(process.env).some((name) => /^https?_proxy$/i.test(name))) {
    const http = await import('node:http')
    // This function is available in Node 24.5 and later.
    if ('setGlobalProxyFromEnv' in http) http.setGlobalProxyFromEnv(process.env)
  }

  const { runQuayside } = await import('./program.ts')
  const exitCode = await runQuayside(args, {
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: interrupted.signal,
  })
  process.exitCode = receivedSignal === undefined ? exitCode : exitCodeBySignal[receivedSignal]
}

await runProcess()
