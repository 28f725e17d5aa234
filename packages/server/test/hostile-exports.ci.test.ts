import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { shortId } from '../src/lib/ids.ts'
import { createExport } from '../src/operations/export/create-export.ts'
import { exportPaths } from '../src/operations/export/export-folder.ts'
import { runImport } from '../src/operations/import/run-import.ts'
import { startOwnService, type Service } from './harness.ts'
import { hostileManifests } from './hostile-manifests.ts'
import { hostileRows, interruptingCases } from './hostile-rows.ts'
import { changedManifest, changedRow } from './modified-export.ts'
import { uploadedBuild, versionOf } from './uploading.ts'
import { createFixture, type Fixture } from './world.ts'

let service: Service
let fixture: Fixture
let parent: string
const exports: Record<'workspace' | 'application', string> = { workspace: '', application: '' }

const exportAgain = /Export again on the other server\./

before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'quayside-hostile-export-'))
  service = await startOwnService()
  fixture = await createFixture(service)
  await uploadedBuild(service, fixture, versionOf(2))
  await exportTo('workspace', null)
  await exportTo('application', fixture.applicationId)
})
after(async () => {
  await service?.close()
  await rm(parent, { recursive: true, force: true })
})

async function exportTo(name: keyof typeof exports, applicationId: string | null): Promise<void> {
  exports[name] = join(parent, name)
  await createExport({
    folder: exports[name],
    scope: { workspaceId: fixture.workspaceId, applicationId },
    config: { dataDir: service.dataDir, publicUrl: service.url },
    connection: service.state.connection,
    storage: service.deps.storage,
    secret: 'secret of the other server',
    passphrase: undefined,
    onProgress: () => {},
  })
}

async function emptyWorkspace(): Promise<string> {
  const id = shortId(12)
  await service.deps.db.insertInto('workspaces').values({ id, name: 'Quayside' }).execute()
  return id
}

const importInto = (workspaceId: string, folder: string, onProgress: (step: string) => void = () => {}) =>
  runImport({
    ...service.deps,
    folder,
    publicUrl: service.url,
    workspaceId,
    passphrase: undefined,
    skipsSecrets: false,
    isRepeated: false,
    trustedKey: undefined,
    onProgress: ({ step }) => onProgress(step),
  })

async function copyOf(name: keyof typeof exports): Promise<string> {
  const folder = await mkdtemp(join(parent, 'case-'))
  await cp(exports[name], folder, { recursive: true })
  return folder
}

async function assertNothingVisible(workspaceId: string): Promise<void> {
  const visible = await service.deps.db
    .selectFrom('applications')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .execute()
  assert.deepEqual(visible, [])
}

async function countImports(workspaceId: string): Promise<number> {
  const rows = await service.deps.db
    .selectFrom('imports')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .execute()
  return rows.length
}

test('rejects modified exports before it imports anything, and says what to do', async (t) => {
  await writeFile(join(parent, 'precious'), 'untouched')
  const workspaceId = await emptyWorkspace()
  for (const { name, of = 'workspace', change, code = 'export.damaged', message } of [
    ...hostileManifests,
    ...hostileRows,
  ])
    await t.test(name, async () => {
      const folder = await copyOf(of)
      await change(folder)
      await assert.rejects(importInto(workspaceId, folder), (error: Error & { code?: string }) => {
        assert.equal(error.code, code, error.message)
        assert.match(error.message, message)
        if (code === 'export.invalid_row' || code === 'export.invalid_manifest')
          assert.match(error.message, exportAgain)
        return true
      })
      assert.equal(await countImports(workspaceId), 0)
      await assertNothingVisible(workspaceId)
      await rm(folder, { recursive: true })
    })
  assert.equal(await readFile(join(parent, 'precious'), 'utf8'), 'untouched')
})

test('stops at a row or a file that cannot be imported, shows nothing, and resumes with the original', async (t) => {
  for (const { name, change, code = 'export.damaged', message } of interruptingCases)
    await t.test(name, async () => {
      const workspaceId = await emptyWorkspace()
      const folder = await copyOf('workspace')
      await change(folder)
      await assert.rejects(importInto(workspaceId, folder), (error: Error & { code?: string }) => {
        assert.equal(error.code, code, error.message)
        assert.match(error.message, message)
        return true
      })
      assert.equal(await countImports(workspaceId), 1)
      await assertNothingVisible(workspaceId)
      await rm(folder, { recursive: true })
      assert.equal((await importInto(workspaceId, await copyOf('workspace'))).wasFinished, false)
    })
})

test('stops if the rows change during the import and resumes with the original', async () => {
  const workspaceId = await emptyWorkspace()
  const folder = await copyOf('workspace')
  const path = exportPaths(folder).rows('builds')
  const original = `${path}.original`
  const attempt = importInto(workspaceId, folder, (step) => {
    if (step !== 'streams' || existsSync(original)) return
    copyFileSync(path, original)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('linux', 'macos'))
  })
  await assert.rejects(attempt, {
    code: 'export.changed',
    message: /builds\.jsonl was changed during the import\. Copy it from the original export/,
  })
  await assertNothingVisible(workspaceId)
  await rename(original, path)
  assert.equal((await importInto(workspaceId, folder)).wasFinished, false)
})

test('ignores additional fields of a newer version and rows that already exist', async () => {
  const workspaceId = await emptyWorkspace()
  const folder = await copyOf('workspace')
  await changedRow('builds', (row) => ({ ...row, color_of_the_future: 'blue', tags: [{ deep: true }] }))(
    folder,
  )
  await changedManifest((manifest) => (manifest['signed_by'] = { name: 'future' }))(folder)
  const { idMapPath } = await importInto(workspaceId, folder)
  const lines = (await readFile(idMapPath, 'utf8')).trim().split('\n')
  const ids = lines.map((line) => JSON.parse(line) as { type: string; from: string; to: string | null })
  const keys = ids.filter(({ type }) => type === 'api_keys')
  assert.ok(keys.length > 0 && keys.every(({ to }) => to === null), 'the keys exist on this server')
  const people = ids.filter(({ type }) => type === 'users')
  assert.ok(
    people.every(({ from, to }) => from === to),
    'the people exist on this server',
  )
  assert.ok(ids.every(({ type, from, to }) => ['users'].includes(type) || to !== from))
})

test('does not follow a link in the place of the list of IDs', async () => {
  const workspaceId = await emptyWorkspace()
  const folder = await copyOf('workspace')
  const precious = join(parent, 'precious-too')
  await writeFile(precious, 'untouched')
  await symlink(precious, join(folder, `id-map-${workspaceId}.jsonl.tmp`))
  await importInto(workspaceId, folder)
  assert.equal(await readFile(precious, 'utf8'), 'untouched')
})
