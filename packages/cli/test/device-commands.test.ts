import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Device, DownloadTotals, ListedDownload } from '@quayside/sdk'
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
})
after(() => service.close())

test('adds, edits, exports and deletes a device', async () => {
  const udid = '00008140-001A2B3C4D5E6F70'
  const add = ['devices', 'add', udid.toLowerCase(), '--name', 'QA iPhone', '--email', 'qa@example.com']
  const device = await json<Device>(add)
  assert.deepEqual([device.udid, device.platform, device.email], [udid, 'ios', 'qa@example.com'])
  const edited = await json<Device>(['devices', 'edit', device.id, '--name', 'QA phone', '--email', ''])
  assert.deepEqual([edited.name, edited.email], ['QA phone', null])
  assert.match((await run(['devices', 'list', '--search', 'qa ph'])).stdout, /QA phone +00008140-001A/)
  assert.equal((await run(['devices', 'list', '--search', 'nothing'])).stdout, 'No devices found.\n')
  const { stdout } = await run(['devices', 'export'])
  assert.equal(stdout, `Device ID\tDevice Name\tDevice Platform\n${udid}\tQA phone\tios\n`)
  assert.equal((await run(['devices', 'edit', device.id])).code, 2)
  assert.equal((await run(['devices', 'add', udid])).code, 2)
  assert.equal((await run(['devices', 'delete', device.id], { answers: ['n'] })).code, 1)
  assert.equal((await run(['devices', 'delete', device.id, '--yes'])).code, 0)
  assert.deepEqual(await json<Device[]>(['devices', 'list']), [])
})

test('lists and counts downloads', async () => {
  for (let count = 0; count < 3; count++)
    assert.equal((await run(['download', 'latest', '--output', `copy-${count}.bin`])).code, 0)
  const listed = await json<ListedDownload[]>(['downloads', 'list', '--version', '1.0.0', '--all'])
  assert.deepEqual(
    listed.map(({ channel, version, platform }) => [channel, version, platform.identifier]),
    Array.from({ length: 3 }, () => ['api', '1.0.0', 'linux']),
  )
  const { stdout, stderr } = await run(['downloads', 'list', '--limit', '2'])
  assert.equal(stdout.match(/ api +1\.0\.0 +linux/g)?.length, 2)
  assert.match(stderr, /The latest 2\. Use --limit or --all to see more\./)
  assert.deepEqual(await json<ListedDownload[]>(['downloads', 'list', '--channel', 'portal']), [])
  const totals = await json<DownloadTotals>(['downloads', 'totals', '--by', 'version'])
  assert.deepEqual([totals.download_count, totals.groups[0]?.value], [3, '1.0.0'])
  assert.match(
    (await run(['downloads', 'totals'])).stdout,
    /^api +3 +0 .*\n\nDownloads: 3, of which 0 installs$/m,
  )
})
