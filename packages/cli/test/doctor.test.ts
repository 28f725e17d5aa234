import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { compareClocks } from '../src/commands/doctor/run-doctor.ts'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import type { InProcessOptions } from './run-in-process.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'

type Check = { check: string; result: string; details: string }

let service: Service

before(async () => {
  service = await startService()
  await jsonInProcess(service, ['applications', 'create', 'App'])
  await writeFile(join(service.folder, 'app-1.0.0.bin'), 'content')
  await jsonInProcess(service, ['upload', 'app-1.0.0.bin'])
})

after(() => service.close())

/** Returns the exit code of `quayside doctor` and the result and details of each check. */
async function doctor(args: string[] = [], options?: InProcessOptions) {
  const { code, stdout } = await runInProcess(service, ['doctor', ...args, '--json'], options)
  const checks = JSON.parse(stdout) as Check[]
  return {
    code,
    results: Object.fromEntries(checks.map(({ check, result }) => [check, result])),
    details: Object.fromEntries(checks.map(({ check, details }) => [check, details])),
  }
}

test('checks everything that an upload needs', async () => {
  const env = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/app', GITHUB_REF: 'refs/heads/main' }
  const { code, results, details } = await doctor([], { env })
  assert.equal(code, 0)
  assert.deepEqual(new Set(Object.values(results)), new Set(['ok']))
  assert.match(details['origin'] ?? '', /^source ghactions, repository acme\/app, branch main/)
  assert.match(
    details['server'] ?? '',
    /\(from QUAYSIDE_SERVER\): Quayside 0\.1\.0; this CLI is version 0\.1\.0$/,
  )
  assert.match(details['application'] ?? '', /, the only application$/)
})

test('shows all details in lines that fit in a terminal', async () => {
  const { stdout } = await runInProcess(service, ['doctor'], { columns: 60 })
  const lines = stdout.trimEnd().split('\n')
  assert.deepEqual(
    lines.filter((line) => line.length > 60),
    [],
  )
  assert.doesNotMatch(stdout, /…$/m)
  assert.match(stdout.replaceAll(/\s+/g, ' '), /this CLI is version 0\.1\.0 /)
})

test('reports that the public URL of the server is unreachable', async (t) => {
  assert.equal((await doctor(['--server', service.directUrl])).results['URLs'], 'ok')
  service.gate.disconnect()
  t.after(() => service.gate.release())
  const { code, details } = await doctor(['--server', service.directUrl])
  assert.equal(code, 1)
  assert.match(details['URLs'] ?? '', /^No response from .*Correct QUAYSIDE_PUBLIC_URL on the server\.$/)
})

test('skips checks that depend on a failed check or require a scope that the key lacks', async () => {
  const unreachable = await doctor(['--server', 'http://127.0.0.1:1'])
  assert.equal(unreachable.code, 1)
  assert.deepEqual([unreachable.results['server'], unreachable.results['API key']], ['failed', 'skipped'])
  const create = ['keys', 'create', 'ci', '--application', 'App', '--scope', 'webhooks:read']
  const { key } = await jsonInProcess<{ key: string }>(service, create)
  const limited = await doctor(['--key', key])
  assert.equal(limited.code, 0, JSON.stringify(limited.details))
  assert.equal(limited.results['URLs'], 'skipped')
})

test('warns that the clock differs from the clock of the server', () => {
  const nowMs = Date.parse('2027-01-31T12:05:00Z')
  const warning = compareClocks('Sun, 31 Jan 2027 12:00:00 GMT', nowMs)
  assert.equal(warning.result, 'warning')
  assert.match(warning.details, /^differs from the clock of the server by 5 min 00 s\. /)
  assert.equal(compareClocks('Sun, 31 Jan 2027 12:04:30 GMT', nowMs).result, 'ok')
})
