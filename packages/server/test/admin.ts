import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { databaseUrl } from './database.ts'
import type { Service } from './harness.ts'

// The compile cache halves the time that a command takes to start.
const inherited = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
const program = join(import.meta.dirname, '../bin/quayside-server.js')

/** Runs a command of `quayside-server admin` with the database, the data folder and the storage of the service. */
export async function runAdmin(
  service: Pick<Service, 'dataDir' | 'state'>,
  args: string[],
  environment: Record<string, string> = {},
) {
  const child = spawn(process.execPath, [program, 'admin', ...args], {
    env: {
      ...inherited,
      QUAYSIDE_DATA_DIR: service.dataDir,
      DATABASE_URL: databaseUrl(service.state.connection),
      ...service.state.storage,
      ...environment,
    },
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { stdout, stderr, code: code as number }
}
