import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createApp } from '../../packages/server/src/app.ts'
import { readConfig } from '../../packages/server/src/config/config.ts'

/** Starts a service without an owner, whose set-up link still works. */
export async function startFreshService() {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-fresh-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const config = readConfig({ QUAYSIDE_DATA_DIR: folder, QUAYSIDE_PORT: '0' })
  const log = pino({ level: 'error', base: null }, pino.destination(2))
  try {
    const app = await createApp(config, { log })
    return { setupUrl: app.setupUrl ?? '', close: () => app.close().finally(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}
