import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type {
  Channel,
  ChannelAdoption,
  CreatedReadKey,
  FormatReadiness,
  ReadKey,
  Rollout,
} from '@quayside/sdk'
import { until } from '../../server/test/until.ts'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import type { InProcessOptions } from './run-in-process.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'

let service: Service
const env = { QUAYSIDE_APPLICATION: 'Game' }

const run = (args: string[], options: InProcessOptions = {}) =>
  runInProcess(service, args, { ...options, env })
const json = <Output>(args: string[]) => jsonInProcess<Output>(service, args, { env })

before(async () => {
  service = await startService()
  await writeFile(join(service.folder, 'game-1.0.0.bin'), randomBytes(1000))
  await json(['applications', 'create', 'Game', '--platform', 'linux'])
  await json(['upload', 'game-1.0.0.bin', '--no-scm', '--stream', 'stable'])
  await json(['channels', 'create', 'Stable', '--stream', 'stable', '--format', 'json,tauri'])
})
after(() => service.close())

test('creates, edits and deletes a channel', async () => {
  const created = await json<Channel>(['channels', 'create', 'Beta', '--prereleases', '--format', 'json'])
  assert.deepEqual([created.stream, created.includes_prereleases, created.access], [null, true, 'public'])
  const edit = ['channels', 'edit', 'beta', '--name', 'Early', '--stream', 'stable', '--access', 'read-keys']
  assert.equal((await json<Channel>(edit)).access, 'read_keys')
  assert.match((await run(['channels', 'list'])).stdout, /Early +stream stable +json +read keys/)
  assert.match((await run(['channels', 'view', created.id])).stdout, /\/u\/[a-z0-9]{10}$/m)
  assert.equal((await run(['channels', 'delete', 'Early'], { answers: ['y'] })).code, 0)
  const { code, stderr } = await run(['channels', 'view', 'Early'])
  assert.equal(code, 1)
  assert.match(stderr, /Channel "Early" was not found\. Channels: Stable\./)
  assert.equal((await run(['channels', 'create', 'x'])).code, 2)
  assert.equal((await run(['channels', 'edit', 'Stable'])).code, 2)
})

test('shows what the newest version lacks', async () => {
  const formats = await json<FormatReadiness[]>(['channels', 'check', 'Stable'])
  assert.deepEqual(
    formats.map(({ format, is_ready }) => [format, is_ready]),
    [
      ['json', true],
      ['tauri', false],
    ],
  )
  const { code, stdout } = await run(['channels', 'check', 'Stable', '--strict'])
  assert.equal(code, 1)
  assert.match(stdout, /! Upload a bundle/)
})

test('shows the adoption of a channel, and the health of its formats', async () => {
  const { stdout } = await run(['channels', 'adoption', 'Stable'])
  assert.match(stdout, /^No checks in the last 30 days\.\n\nFORMAT +LAST REQUEST.*\njson +never +0 +0$/m)
  const { url } = await json<Channel>(['channels', 'view', 'Stable'])
  await until('the channel offers 1.0.0', async () => (await fetch(`${url}/json/latest.json`)).status === 200)
  await fetch(`${url}/json/latest.json?version=1.0.0&platform=linux&arch=x64`)
  await fetch(`${url}/json/nothing.json`)
  await until('the checks are counted', async () => {
    const adoption = await json<ChannelAdoption>(['channels', 'adoption', 'Stable', '--days', '7'])
    return (
      adoption.clients.some(({ platform }) => platform === 'linux') &&
      (adoption.health[0]?.last_error ?? null) !== null
    )
  })
  const counted = await run(['channels', 'adoption', 'Stable'])
  assert.match(counted.stdout, /^1\.0\.0 +1 +\d+\.\d % +0$/m)
  assert.match(counted.stdout, /^json +linux +x64 +1 +0 +1 +0 +0 +0$/m)
  assert.match(counted.stdout, /^json +\d{4}-\S+ \d\d:\d\d +\d+ +1 +404 \*\.json, /m)
  assert.equal((await run(['channels', 'adoption', 'Stable', '--days', '91'])).code, 2)
})

test('creates, lists and revokes read keys', async () => {
  const create = ['channels', 'read-keys', 'create', 'Stable', 'Acme', '--expires', '90d']
  const key = await json<CreatedReadKey>([...create, '--max-downloads', '5', '--cohort', 'testers'])
  assert.ok(key.url.endsWith(`/k/${key.key}`))
  assert.match((await run(create)).stdout, /Store the key now/)
  const { stdout } = await run(['channels', 'read-keys', 'list', 'Stable'])
  assert.match(stdout, /Acme +qsr_\S{4}… +0 of 5/)
  assert.doesNotMatch(stdout, new RegExp(key.key))
  await json(['channels', 'read-keys', 'revoke', 'Stable', key.id])
  const [listed] = await json<ReadKey[]>(['channels', 'read-keys', 'list', 'Stable'])
  assert.notEqual(listed?.revoked_at, null)
})

test('sets and removes the rule that stops a rollout', async () => {
  const set = ['rollout', 'set', 'Stable', '1.0.0', '--stop-failures']
  assert.deepEqual((await json<Rollout>([...set, '5%'])).stop_when, {
    failures_percent: 5,
    minimum_reports: 50,
  })
  const { stdout } = await run([...set, '2.5', '--stop-reports', '200'])
  assert.match(stdout, /^Stops when +2\.5 % of at least 200 reports are failures$/m)
  assert.equal((await json<Rollout>([...set, 'none'])).stop_when, null)
  assert.equal((await run([...set, 'often'])).code, 2)
  for (const others of [[], ['--percentage', '5'], ['--stop-failures', 'none']]) {
    const refused = await run(['rollout', 'set', 'Stable', '1.0.0', '--stop-reports', '200', ...others])
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /--stop-reports applies only with --stop-failures/)
  }
})

test('sets, pauses, stops and rolls back a rollout', async () => {
  const set = ['rollout', 'set', 'Stable', '1.0.0', '--percentage', '5%', '--cohort', 'testers', '--required']
  const rollout = await json<Rollout>([
    ...set,
    '--critical',
    '--minimum-os',
    'macos=12.0',
    '--minimum-os',
    'linux=6.1',
  ])
  assert.deepEqual(
    [rollout.percentage, rollout.cohorts, rollout.is_required, rollout.is_critical, rollout.minimum_os],
    [5, ['testers'], true, true, { macos: '12.0', linux: '6.1' }],
  )
  const growing = await json<Rollout>(['rollout', 'set', 'Stable', '1.0.0', '--complete', '7d'])
  assert.notEqual(growing.complete_at, null)
  const still = await json<Rollout>(['rollout', 'set', 'Stable', '1.0.0', '--complete', 'none'])
  assert.equal(still.complete_at, null)
  for (const [command, state] of [
    ['pause', 'paused'],
    ['resume', 'active'],
    ['stop', 'stopped'],
    ['rollback', 'rolled_back'],
  ] as const)
    assert.equal((await json<Rollout>(['rollout', command, 'Stable', '1.0.0'])).state, state)
  const refused = await run(['rollout', 'set', 'Stable', '1.0.0', '--percentage', '50'])
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /cannot grow/)
  assert.match((await run(['rollout', 'list', 'Stable'])).stdout, /1\.0\.0 +rolled back +5(\.\d+)? %/)
  for (const wrong of [['--percentage', '101'], ['--percentage', 'x'], ['--minimum-os', 'beos=1'], []])
    assert.equal((await run(['rollout', 'set', 'Stable', '1.0.0', ...wrong])).code, 2, wrong.join(' '))
})
