import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startDemo } from './demo/start-demo.ts'

// npm run demo                        serve the demo workspace, and create it first if necessary
// npm run demo -- --fresh             delete the demo workspace and create it again
// npm run demo -- --port 4500 --size small
const { values } = parseArgs({
  options: {
    fresh: { type: 'boolean', default: false },
    folder: { type: 'string', default: join(import.meta.dirname, '../data-demo') },
    port: { type: 'string', default: '4400' },
    size: { type: 'string', default: 'full' },
    seed: { type: 'string', default: '1' },
  },
})

const startedAt = performance.now()
const demo = await startDemo({
  folder: values.folder,
  port: Number(values.port),
  isFresh: values.fresh,
  size: values.size === 'small' ? 'small' : 'full',
  seed: Number(values.seed),
  log: (line) => console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}`),
})
console.log(`
  Brindle Works is ready:  ${demo.url}
  Sign in as:              ${demo.email}
  Password:                ${demo.password}
  Workspace key:           ${demo.key}
`)
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (isStopping) return
    isStopping = true
    void demo.close().then(() => process.exit(0))
  })
