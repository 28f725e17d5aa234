import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createServer } from 'vite'

// Runs the service and the console with hot reload. The development server of Vite is the public URL and forwards
// requests to the service, so that cookies, links and uploads work as they do in production.
const root = join(import.meta.dirname, '..')
const port = Number(process.env['QUAYSIDE_DEV_PORT'] ?? 5173)
const servicePort = process.env['QUAYSIDE_PORT'] ?? '4400'
process.env['QUAYSIDE_DEV_SERVICE'] = `http://127.0.0.1:${servicePort}`

const vite = await createServer({
  root: join(root, 'packages/web'),
  configFile: join(root, 'packages/web/vite.config.ts'),
  base: '/',
  server: { port, strictPort: true, host: 'localhost' },
})
await vite.listen()
const service = spawn(process.execPath, [join(root, 'packages/server/bin/quayside-server.js')], {
  cwd: root,
  stdio: 'inherit',
  env: { QUAYSIDE_PUBLIC_URL: `http://localhost:${port}`, ...process.env, QUAYSIDE_PORT: servicePort },
})
console.log(`Console with hot reload: http://localhost:${port}`)
service.on('exit', (code) => {
  void vite.close().then(() => process.exit(code ?? 1))
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill(signal))
