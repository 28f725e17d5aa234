import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from './clone.ts'
import { runProgram, type Outcome } from './run-release.ts'

const program = join(repository, 'scripts/publish-release.ts')

/** Runs `npm run release:publish`. `env` contains additional environment variables. */
export const runPublication = (args: readonly string[], env: Record<string, string>): Promise<Outcome> =>
  runProgram(process.execPath, [program, ...args], { cwd: repository, env: { ...process.env, ...env } })

/** Runs the same until it has uploaded three files, and kills it with the programs that it runs. */
export async function killPublication(args: readonly string[], env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const exited = once(child, 'exit')
  let output = ''
  let isKilled = false
  for await (const text of child.stdout) {
    output += String(text)
    if (isKilled || child.pid === undefined || output.split('(uploaded)').length <= 3) continue
    process.kill(-child.pid, 'SIGKILL')
    isKilled = true
  }
  const [, signal] = (await exited) as [number | null, NodeJS.Signals | null]
  assert.equal(signal, 'SIGKILL', output)
}

/** Creates a key with the scopes that CONTRIBUTING.md names. */
export async function createPublishingKey(url: string, key: string): Promise<string> {
  const page = await readFile(join(repository, 'CONTRIBUTING.md'), 'utf8')
  const [, list = ''] = /a workspace key without expiration with the scopes ([^.]*)/.exec(page) ?? []
  const scopes = [...list.matchAll(/`([a-z_]+:[a-z]+)`/g)].map(([, scope]) => scope)
  assert.ok(scopes.length > 0)
  const response = await fetch(`${url}/api/v1/workspace/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Release', scopes }),
  })
  assert.equal(response.status, 201)
  return ((await response.json()) as { data: { key: string } }).data.key
}

/** Returns the data of an API response. */
export async function getData<T>(url: string, key: string, path: string): Promise<T> {
  const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(response.status, 200, path)
  return ((await response.json()) as { data: T }).data
}
