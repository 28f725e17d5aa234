import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { databaseUrl } from './database.ts'
import type { Service } from './harness.ts'

/** How often each command is killed with SIGKILL. */
const kills = Number(process.env['QUAYSIDE_EXPORT_KILLS'] ?? 1)
const program = join(import.meta.dirname, '../bin/quayside-server.js')

type Environment = Record<string, string>

/** Runs the command and kills it when it has reported `lines` steps. Returns undefined if it was killed. */
async function adminUntil(
  service: Service,
  lines: number,
  { args, environment }: { args: string[]; environment: Environment },
): Promise<{ code: number; stderr: string[] } | undefined> {
  const child = spawn(process.execPath, [program, 'admin', ...args], {
    env: {
      ...process.env,
      ...service.state.storage,
      ...environment,
      QUAYSIDE_DATA_DIR: service.dataDir,
      DATABASE_URL: databaseUrl(service.state.connection),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stderr: string[] = []
  const reading = (async () => {
    for await (const line of createInterface({ input: child.stderr })) {
      stderr.push(line)
      if (stderr.length === lines) child.kill('SIGKILL')
    }
  })()
  const [[code]] = (await Promise.all([once(child, 'exit'), reading])) as [[number | null], void]
  return code === null ? undefined : { code, stderr }
}

/** Repeats the command until it succeeds. Kills it later each time, and at least once. */
export async function adminWithKills(
  service: Service,
  steps: number,
  args: string[],
  environment: Environment = {},
): Promise<void> {
  for (let kill = 1; ; kill++) {
    const lines = kill > kills ? Infinity : Math.ceil((kill * steps) / (kills + 1))
    const ended = await adminUntil(service, lines, { args, environment })
    if (ended === undefined) continue
    assert.equal(ended.code, 0, ended.stderr.join('\n'))
    // If this process is stalled, the command may end before the kill reaches it.
    assert.ok(kill > 1 || ended.stderr.length >= lines, 'the command was never killed')
    return
  }
}
