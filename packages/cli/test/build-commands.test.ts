import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Application, Build, BulkResult, FullBuild, Platform } from '@quayside/sdk'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import type { InProcessOptions } from './run-in-process.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'

let service: Service
const env = { QUAYSIDE_APPLICATION: 'Game' }

const run = (args: string[], options: InProcessOptions = {}) =>
  runInProcess(service, args, { ...options, env: { ...env, ...options.env } })
const json = <Output>(args: string[]) => jsonInProcess<Output>(service, args, { env })
const upload = async (...args: string[]) =>
  (await json<{ build_id: string }>(['upload', 'game-1.0.0.bin', '--no-scm', ...args])).build_id

before(async () => {
  service = await startService()
  await writeFile(join(service.folder, 'game-1.0.0.bin'), randomBytes(1000))
  await json(['applications', 'create', 'Game', '--platform', 'linux'])
})

after(() => service.close())

test('changes only the fields that are passed to builds edit', async () => {
  const id = await upload('--label', 'old', '--notes', 'First.')
  const edit = ['builds', 'edit', id, '--version', '2.1.0-rc.1', '--build-number', '77', '--stream', 'stable']
  const edited = await json<FullBuild>([...edit, '--label', 'new', '--architecture', 'x64', '--keep-forever'])
  assert.equal(edited.version, '2.1.0-rc.1')
  assert.deepEqual(
    [edited.build_number, edited.stream.name, edited.notes, edited.keep_forever],
    ['77', 'stable', 'First.', true],
  )
  assert.deepEqual(
    [edited.labels.map(({ name }) => name), edited.architectures.map(({ identifier }) => identifier)],
    [['new'], ['x64']],
  )
  const clear = ['builds', 'edit', id, '--build-number', '', '--label', '', '--extra', '', '--notes', '']
  const cleared = await json<FullBuild>([...clear, '--no-keep-forever'])
  assert.deepEqual(
    [cleared.version, cleared.build_number, cleared.labels, cleared.notes, cleared.keep_forever],
    ['2.1.0', null, [], null, false],
  )
  assert.equal((await run(['builds', 'edit', id])).code, 2)
})

test('reads the release notes of builds edit from standard input', async () => {
  const id = await upload()
  const edited = await run(['builds', 'edit', id, '--notes-file', '-', '--json'], {
    input: 'Fixed.\n',
  })
  assert.equal((JSON.parse(edited.stdout) as FullBuild).notes, 'Fixed.')
})

test('explains how to pass a version with four numbers', async () => {
  const { code, stderr } = await run(['builds', 'edit', 'any', '--version', '1.2.3.4'])
  assert.equal(code, 2)
  assert.match(stderr, /use --version 1\.2\.3 --build-number 4\./)
})

test('adds labels to several builds and removes them', async () => {
  const ids = [await upload('--label', 'smoke'), await upload('--label', 'smoke')]
  await json(['builds', 'label', ...ids, '--add', 'approved', '--remove', 'smoke'])
  for (const id of ids) {
    const { labels } = await json<FullBuild>(['builds', 'view', id])
    assert.deepEqual(
      labels.map(({ name }) => name),
      ['approved'],
    )
  }
})

test('changes the most recent build of a stream', async () => {
  const stable = await upload('--stream', 'stable')
  await upload()
  await json(['builds', 'label', 'latest', '--stream', 'stable', '--add', 'chosen'])
  const opened = await run(['open', 'latest', '--stream', 'stable', '--print'])
  assert.ok(opened.stdout.endsWith(`/${stable}\n`))
  await json(['builds', 'move', 'latest', 'nightlies', '--stream', 'stable'])
  const moved = await json<FullBuild>(['builds', 'view', stable])
  assert.deepEqual([moved.labels[0]?.name, moved.stream.name], ['chosen', 'nightlies'])
  const newest = await upload()
  assert.equal((await json<FullBuild>(['builds', 'edit', 'latest', '--notes', 'New.'])).id, newest)
  assert.equal((await json<BulkResult[]>(['builds', 'delete', 'latest', '--yes']))[0]?.build_id, newest)
})

test('moves the builds that exist and reports those that do not', async () => {
  const ids = [await upload(), await upload()]
  const moved = await run(['builds', 'move', ids[0]!, 'nosuch', ids[1]!, 'stable'])
  assert.equal(moved.code, 1)
  assert.match(moved.stdout, new RegExp(`${ids[0]} +moved to stable`))
  assert.match(moved.stdout, /nosuch +Build nosuch was not found/)
  assert.match(moved.stderr, /1 of 3 builds could not be changed/)
  const { stream } = await json<FullBuild>(['builds', 'view', ids[1]!])
  assert.equal(stream.name, 'stable')
})

test('selects the latest build of a stream', async () => {
  const older = await upload('--stream', 'nightlies')
  await upload()
  assert.equal((await json<Build>(['builds', 'view', 'latest', '--stream', 'nightlies'])).id, older)
})

test('deletes a build only after confirmation and restores it from the trash', async () => {
  const id = await upload()
  const refused = await run(['builds', 'delete', id])
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /Add --yes/)
  const declined = await run(['builds', 'delete', id], { answers: ['n'] })
  assert.equal(declined.code, 1)
  assert.match(declined.stderr, new RegExp(`Move build ${id} to the trash\\? \\[y/N\\]`))
  await json(['builds', 'view', id])
  assert.equal((await run(['builds', 'delete', id], { answers: ['y'] })).code, 0)
  assert.ok((await json<Build[]>(['builds', 'list', '--trashed'])).some((build) => build.id === id))
  const [restored] = await json<BulkResult[]>(['builds', 'restore', id])
  assert.deepEqual([restored?.build_id, restored?.done], [id, true])
  await json(['builds', 'view', id])
})

test('refuses to create a second application with the same name unless forced', async () => {
  const { id } = await json<Application>(['applications', 'create', 'Twice'])
  const refused = await run(['applications', 'create', 'twice'])
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, new RegExp(`already exists \\(ID: ${id}\\).*--force`))
  const second = await json<Application>(['applications', 'create', 'Twice', '--force'])
  assert.notEqual(second.id, id)
})

test('edits, deletes and restores an application by name', async () => {
  const { id } = await json<Application>(['applications', 'create', 'Draft'])
  await json(['applications', 'edit', 'draft', '--name', 'Final', '--description', 'Ready.'])
  const mistyped = await run(['applications', 'delete', 'Final'], { answers: ['Fina'] })
  assert.equal(mistyped.code, 1)
  assert.match(mistyped.stderr, /Type "Final" to confirm/)
  const confirmed = await run(['applications', 'delete', 'Final'], { answers: ['Final'] })
  assert.equal(confirmed.code, 0, confirmed.stderr)
  assert.equal((await run(['applications', 'view', 'Final'])).code, 1)
  const restored = await json<Application>(['applications', 'restore', 'final'])
  assert.deepEqual([restored.id, restored.description], [id, 'Ready.'])
})

test('adds platforms to an application and removes them', async () => {
  const slugs = (platforms: Platform[]) => platforms.map(({ identifier }) => identifier).toSorted()
  assert.deepEqual(slugs(await json(['platforms', 'add', 'ios', 'android'])), ['android', 'ios', 'linux'])
  assert.deepEqual(slugs(await json(['platforms', 'remove', 'ios', 'android'])), ['linux'])
  const unknown = await run(['platforms', 'remove', 'ios'])
  assert.match(unknown.stderr, /does not have the platform ios\. Its platforms: linux\./)
  assert.match((await run(['platforms', 'remove', 'linux'])).stderr, /needs at least one platform/)
})

test('accepts the former names of commands but omits them from the help text', async () => {
  assert.equal((await run(['builds', 'get', 'latest'])).code, 0)
  assert.equal((await run(['applications', 'get', 'Game'])).code, 0)
  assert.doesNotMatch((await run(['builds', '--help'])).stdout, /^ +get /m)
})

test('shows which entries of two builds differ', async () => {
  const folder = join(service.folder, 'Level')
  const uploadFolder = async (files: Record<string, string>) => {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
    const upload = ['upload', folder, '--version', '1.0.0', '--platform', 'linux', '--no-scm']
    return (await json<{ build_id: string }>(upload)).build_id
  }
  const base = await uploadFolder({ a: 'one', b: 'x'.repeat(2000) })
  const build = await uploadFolder({ a: 'three', c: 'y' })
  const { code, stdout, stderr } = await run(['builds', 'diff', base, build])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /\nadded +1 entry +1 B\nremoved +1 entry +1\.95 KB\nchanged +1 entry +3 B → 5 B\n/)
  assert.match(
    stdout,
    /removed +1\.95 KB +- +-1\.95 KB +b\nchanged +3 B +5 B +\+2 B +a\nadded +- +1 B +\+1 B +c\n/,
  )
  type Diff = { totals: { added: { entry_count: number } }; entries: { path: string }[] }
  const diff = await json<Diff>(['builds', 'diff', base, 'latest', '--kind', 'added'])
  assert.deepEqual([diff.totals.added.entry_count, diff.entries.map(({ path }) => path)], [1, ['c']])
  const unreadable = await run(['builds', 'diff', base, await upload()])
  assert.equal(unreadable.code, 1)
  assert.match(unreadable.stderr, /The entries of game-1\.0\.0\.bin cannot be compared\./)
})
