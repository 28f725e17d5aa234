import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { debianPackage } from '../../test/debian-package.ts'
import { attackProgram as program } from '../../test/inspection/attack-program.ts'
import { zipOfManyFiles } from '../../test/inspection/zip-file.ts'
import { emptyInspection, InspectionError } from './inspection.ts'
import type { Targets } from './module-attacks.fixture.ts'
import { createInspector } from './run-inspection.ts'
import { canIsolateNetwork } from './sandbox.ts'
import { InspectionAborted } from './sandboxed-process.ts'

const log = pino({ level: 'silent' })
const memoryBytes = 512 * 1024 * 1024
const limits = { cpuSeconds: 25, wallSeconds: 60, memoryBytes }
const signal = new AbortController().signal
const noNetwork = (await canIsolateNetwork())
  ? false
  : 'this system does not isolate the network of processes'

let folder: string
let targets: Targets
let connections = 0
const server = createServer((socket) => {
  connections += 1
  socket.destroy()
})

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quayside-inspection-'))
  const file = join(folder, 'secret')
  await writeFile(file, 'secret')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  targets = { file, folder, port: (server.address() as AddressInfo).port, pid: process.pid }
})
after(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

const sourceOf = (bytes: Buffer) => ({
  sizeBytes: bytes.length,
  read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
})

const isRecognized = async () => true

const attack = (name: string, changes: Partial<typeof limits> = {}) =>
  createInspector({ log, program, limits: { ...limits, ...changes }, isRecognized }).inspect(
    sourceOf(Buffer.from(JSON.stringify(targets))),
    name,
    signal,
  )

test('returns the metadata of a package', async () => {
  const bytes = debianPackage({ Package: 'harbor', Version: '1.0', Architecture: 'arm64' })
  const { file_info } = await createInspector({ log }).inspect(sourceOf(bytes), 'deb', signal)
  assert.deepEqual([file_info?.name, file_info?.architectures], ['harbor', ['arm64v8']])
})

test('reads an archive of a million files within the limits', async () => {
  function* names() {
    for (let index = 1; index < 1_000_000; index++) yield `${index.toString(36)}/${'folder/'.repeat(12)}a.js`
  }
  const info = '<plist><dict><key>CFBundleName</key><string>Harbor</string></dict></plist>'
  const last = { name: 'Harbor.app/Contents/Info.plist', data: info }
  const bytes = zipOfManyFiles(names(), last)
  const { file_info } = await createInspector({ log }).inspect(sourceOf(bytes), 'zip', signal)
  assert.equal(file_info?.name, 'Harbor')
})

test('reads nothing from an archive of more files than fit into memory', async () => {
  function* names() {
    for (let index = 0; index < 1_000_000; index++) yield index.toString(36)
  }
  const bytes = zipOfManyFiles(names(), { name: 'last' })
  assert.deepEqual(await createInspector({ log }).inspect(sourceOf(bytes), 'zip', signal), emptyInspection)
})

test('reports the reason if a package is damaged', async () => {
  const inspection = createInspector({ log }).inspect(sourceOf(Buffer.alloc(500)), 'apk', signal)
  const isFinal = (error: Error) => error instanceof InspectionError && !(error instanceof InspectionAborted)
  await assert.rejects(inspection, isFinal)
})

test('denies files, processes, threads, signals and the network, and passes no environment', async () => {
  const { file_info } = await attack('escape')
  assert.deepEqual([file_info?.architectures, file_info?.name], [[], '{}'])
  assert.deepEqual([existsSync(join(folder, 'written')), existsSync(join(folder, 'spawned'))], [false, false])
  assert.equal(connections, 0)
})

test('denies what every built-in module offers to reach files, processes and the network', async () => {
  const { file_info } = await attack('modules')
  assert.ok(Number.parseInt(file_info?.name ?? '', 10) >= 70, file_info?.name ?? '')
  assert.deepEqual(file_info?.architectures, [])
  assert.deepEqual([await readdir(folder), await readFile(targets.file, 'utf8')], [['secret'], 'secret'])
  assert.equal(connections, 0)
})

test('ends a process that changes flags of V8, and writes no file', async () => {
  await assert.rejects(attack('flags'), InspectionAborted)
  assert.deepEqual([await readdir(folder), await readFile(targets.file, 'utf8')], [['secret'], 'secret'])
})

test('runs without network interfaces', { skip: noNetwork }, async () => {
  const { file_info } = await attack('connect')
  assert.deepEqual(file_info?.architectures, [])
})

for (const [name, changes, message] of [
  ['memory', {}, /limits? (on|of)/],
  ['heap', {}, /limits? (on|of)/],
  ['loop', { cpuSeconds: 1 }, /limits on time/],
  ['wait', { wallSeconds: 1 }, /limit of 1 seconds/],
  ['flood', {}, /invalid result/],
  ['invalid JSON', {}, /invalid result/],
  ['invalid result', {}, /invalid result/],
  ['invalid range', {}, /invalid result/],
  ['huge range', {}, /invalid result/],
  ['crash', {}, /failed/],
] as const) {
  test(`ends a process that misbehaves (${name})`, async () => {
    await assert.rejects(attack(name, changes), (error) => {
      assert.ok(error instanceof InspectionAborted, String(error))
      assert.match(error.reason, message)
      return true
    })
  })
}

test('stops the process when the inspection is aborted', async () => {
  const stopping = new AbortController()
  const inspector = createInspector({ log, program, limits, isRecognized })
  const inspection = inspector.inspect(sourceOf(Buffer.alloc(10)), 'loop', stopping.signal)
  setTimeout(() => stopping.abort(new Error('stopping')), 200)
  await assert.rejects(inspection, /stopping/)
})

test('passes on the error of a source that cannot be read', async () => {
  const source = { sizeBytes: 500, read: () => Promise.reject(new Error('storage is unavailable')) }
  await assert.rejects(createInspector({ log }).inspect(source, 'deb', signal), /storage is unavailable/)
})

test('removes unprintable characters and shortens long text', async () => {
  const { file_info } = await attack('text')
  assert.match(file_info?.name ?? '', /^abc x+…$/)
  assert.equal(file_info?.name?.length, 500)
})

test('starts no process for a file in an unknown format', async () => {
  const source = sourceOf(Buffer.alloc(5000, 'text'))
  assert.deepEqual(await createInspector({ log, program }).inspect(source, 'crash', signal), emptyInspection)
})
