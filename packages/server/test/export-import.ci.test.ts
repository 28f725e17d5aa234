import assert from 'node:assert/strict'
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { purgeOverdueApplications } from '../src/features/applications/purge-applications.job.ts'
import { purgeOverdueBuilds } from '../src/features/builds/purge-builds.job.ts'
import { insertFirstDefaultStreams } from '../src/features/streams/default-stream.db.ts'
import { webhookSecretContext } from '../src/features/webhooks/webhook-secret.db.ts'
import { shortId } from '../src/lib/ids.ts'
import type { Progress } from '../src/lib/progress.ts'
import { createExport } from '../src/operations/export/create-export.ts'
import { fingerprintOf } from '../src/operations/export/export-key.ts'
import { discardImport } from '../src/operations/import/discard-import.ts'
import { runImport, type ImportOptions } from '../src/operations/import/run-import.ts'
import { runAdmin } from './admin.ts'
import { compareWorkspaces, readIdMap } from './compare-workspaces.ts'
import { startOwnService, type Service } from './harness.ts'
import { adminWithKills } from './killed-commands.ts'
import { addMapping, debugIdsOf, inspectArtifactsAgain } from './symbols.ts'
import { composedBuild, uploadedBuild, versionOf } from './uploading.ts'
import { createFixture, type Fixture } from './world.ts'

const passphrase = 'a passphrase of the tests'

let source: Service
let target: Service
let fixture: Fixture
let parent: string
/** The complete export of the workspace. Tests that need a modified one change a copy of it. */
let complete: { folder: string; publicKey: string }
/** The ID of a build with an R8 mapping. */
let symbolized: string

before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'quayside-export-'))
  source = await startOwnService()
  target = await startOwnService()
  fixture = await createFixture(source)
  await uploadedBuild(source, fixture, versionOf(2, 0, 1))
  const uploaded = await uploadedBuild(source, fixture, versionOf(2, 0, 2))
  symbolized = uploaded.build.id
  await composedBuild(source, fixture, uploaded, versionOf(2, 0, 3))
  await addMapping(source, fixture, symbolized)
  const { applicationId, workspaceKey: key } = fixture
  await source.call('PATCH', `/applications/${applicationId}/webhooks/${fixture.ids['webhook_id']}`, {
    key,
    body: { secret: 'the secret of the webhook, 32 characters' },
  })
  // Waiting requests stay with the server that sends them.
  await source.deps.db
    .updateTable('webhook_requests')
    .set({ state: 'delivered', next_attempt_at: null, response_code: 200 })
    .execute()
  const folder = join(parent, 'complete')
  complete = { folder, publicKey: (await exportTo(folder)).public_key }
})
after(async () => {
  await Promise.all([source?.close(), target?.close()])
  await rm(parent, { recursive: true, force: true })
})

async function exportTo(
  folder: string,
  { applicationId = null as string | null, onProgress = (_: Progress) => {} } = {},
) {
  return createExport({
    folder,
    scope: { workspaceId: fixture.workspaceId, applicationId },
    config: { dataDir: source.dataDir, publicUrl: source.url },
    connection: source.state.connection,
    storage: source.deps.storage,
    secret: (await readFile(join(source.dataDir, 'secret'), 'utf8')).trim(),
    passphrase,
    onProgress,
  })
}

const importInto = (workspaceId: string, folder: string, options: Partial<ImportOptions> = {}) =>
  runImport({
    ...target.deps,
    folder,
    publicUrl: target.url,
    workspaceId,
    passphrase,
    skipsSecrets: false,
    isRepeated: false,
    trustedKey: undefined,
    onProgress: () => {},
    ...options,
  })

/** Creates a workspace like that of a new server. */
async function emptyWorkspace({ db } = target.deps): Promise<string> {
  const id = shortId(12)
  await db.insertInto('workspaces').values({ id, name: 'Quayside' }).execute()
  await db.transaction().execute((tx) => insertFirstDefaultStreams(tx, id))
  return id
}

async function copyOfExport(name: string): Promise<string> {
  const folder = join(parent, name)
  await cp(complete.folder, folder, { recursive: true })
  return folder
}

/** Compares all responses of both servers. The key of the exported workspace works on both. */
async function assertSameResponses(idMapPath: string, key = fixture.workspaceKey): Promise<void> {
  await compareWorkspaces(
    { url: source.url, call: source.call, key: fixture.workspaceKey, db: source.deps.db },
    { url: target.url, call: target.call, key, db: target.deps.db },
    { workspaceId: fixture.workspaceId, newIds: await readIdMap(idMapPath) },
  )
}

/** Repeats the work until it succeeds. Every `interval` steps that were not reached before, it is interrupted. */
async function interrupted<T>(
  interval: number,
  work: (onProgress: (progress: Progress) => void) => Promise<T>,
): Promise<{ result: T; interruptions: number }> {
  const reached = new Set<string>()
  for (;;) {
    try {
      const result = await work(({ step }) => {
        if (reached.has(step)) return
        reached.add(step)
        // Every run derives a key from the passphrase, so an interruption at each step would take too long.
        if (reached.size % interval === 0) throw new Error('interrupted')
      })
      return { result, interruptions: Math.floor(reached.size / interval) }
    } catch (error) {
      if ((error as Error).message !== 'interrupted') throw error
    }
  }
}

test('an export and an import that are interrupted again and again lose and repeat nothing', async () => {
  const folder = join(parent, 'interrupted')
  const exported = await interrupted(8, (onProgress) => exportTo(folder, { onProgress }))
  const workspaceId = await emptyWorkspace()
  const imported = await interrupted(3, (onProgress) => importInto(workspaceId, folder, { onProgress }))
  assert.ok(exported.interruptions > 3 && imported.interruptions > 10)
  await assertSameResponses(imported.result.idMapPath)
  const again = await importInto(workspaceId, folder)
  assert.equal(again.wasFinished, true)
  const copy = await importInto(workspaceId, folder, { isRepeated: true })
  assert.equal(copy.wasFinished, false)
})

test('the importing server reads the debug IDs of builds and artifacts again', async () => {
  const { idMapPath } = await importInto(await emptyWorkspace(), complete.folder)
  const id = (await readIdMap(idMapPath)).get(symbolized) ?? ''
  const { db } = target.deps
  const readings = await db
    .selectFrom('build_readings')
    .select('version')
    .where('build_id', '=', id)
    .where('kind', '=', 'inspection')
    .execute()
  assert.deepEqual(readings, [{ version: 0 }])
  assert.deepEqual(await debugIdsOf(target, id), [])
  await inspectArtifactsAgain(target, id)
  assert.deepEqual(await debugIdsOf(target, id), [{ kind: 'r8_map_id', id: '7fa4c6e' }])
})

test('an imported webhook signs its requests with the same secret', async () => {
  const { db, secretBox } = target.deps
  const sealed = await db
    .selectFrom('webhooks')
    .select(['id', 'secret_encrypted'])
    .where('secret_encrypted', 'is not', null)
    .executeTakeFirstOrThrow()
  const secret = secretBox.open(sealed.secret_encrypted ?? new Uint8Array(), webhookSecretContext(sealed.id))
  assert.equal(secret, 'the secret of the webhook, 32 characters')
  const texts = await readFile(join(complete.folder, 'rows/webhooks.jsonl'), 'utf8')
  assert.ok(!texts.includes(Buffer.from(secret).toString('hex')))
  await assert.rejects(importInto(await emptyWorkspace(), complete.folder, { passphrase: undefined }), {
    code: 'export.passphrase_missing',
  })
})

test('an application is imported into a workspace in which names, people and keys already exist', async () => {
  const folder = join(parent, 'application')
  await exportTo(folder, { applicationId: fixture.applicationId })
  const { workspaceId, workspaceKey: key } = await target.tenant()
  const { db } = target.deps
  const members = () => db.selectFrom('users').select(['id', 'email']).orderBy('id').execute()
  const before = await members()
  const { idMapPath } = await importInto(workspaceId, folder)
  assert.deepEqual(await members(), before, 'the people of the first import are reused')
  const ids = await readIdMap(idMapPath)
  const path = `/applications/${ids.get(fixture.applicationId)}`
  const [expected, actual] = await Promise.all([
    source.call('GET', `/applications/${fixture.applicationId}/builds`, { key: fixture.workspaceKey }),
    target.call('GET', `${path}/builds`, { key }),
  ])
  const summary = (body: { data: { id: string; version: string; created_at: string }[] }) =>
    body.data.map(({ id, version, created_at }) => [ids.get(id) ?? id, version, created_at])
  assert.deepEqual(summary(actual.body), summary(expected.body))
  // The keys belong to the first import.
  const keys = await target.call('GET', `${path}/api-keys`, { key })
  assert.deepEqual(keys.body.data, [])
})

test('rejects an export that was modified or signed with another key, and changes nothing', async () => {
  const workspaceId = await emptyWorkspace()
  const manifest = await copyOfExport('modified-manifest')
  await appendFile(join(manifest, 'manifest.json'), ' ')
  const rows = await copyOfExport('modified-rows')
  await appendFile(join(rows, 'rows/builds.jsonl'), '{}\n')
  const incomplete = await copyOfExport('incomplete')
  await rm(join(incomplete, 'manifest.json'))
  await assert.rejects(importInto(workspaceId, manifest), { code: 'export.damaged' })
  await assert.rejects(importInto(workspaceId, rows), { code: 'export.damaged' })
  await assert.rejects(importInto(workspaceId, incomplete), { code: 'export.incomplete' })
  await assert.rejects(importInto(workspaceId, complete.folder, { trustedKey: 'SHA256:other' }), {
    code: 'export.untrusted',
    message: new RegExp(fingerprintOf(complete.publicKey).slice(0, 20).replaceAll('+', '\\+')),
  })
  const { imports } = await target.deps.db
    .selectFrom('imports')
    .select((eb) => eb.fn.countAll<number>().as('imports'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  assert.equal(imports, 0)
})

test('refuses to import a folder that another command is importing', async () => {
  const workspaceId = await emptyWorkspace()
  const attempts = await Promise.allSettled([1, 2].map(() => importInto(workspaceId, complete.folder)))
  const rejected = attempts.filter((attempt) => attempt.status === 'rejected')
  assert.deepEqual(
    rejected.map(({ reason }) => (reason as { code: string }).code),
    ['export.in_use'],
  )
})

test('names a damaged file and resumes after it is replaced', async () => {
  const workspaceId = await emptyWorkspace()
  const folder = await copyOfExport('damaged-file')
  const entries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })
  const file = entries.find((entry) => entry.isFile())
  assert.ok(file)
  const path = join(file.parentPath, file.name)
  const bytes = await readFile(path)
  const flipped = Buffer.from(bytes)
  flipped[0]! ^= 1
  await writeFile(path, flipped)
  await assert.rejects(importInto(workspaceId, folder), { code: 'export.damaged', message: new RegExp(path) })
  await writeFile(path, bytes)
  assert.equal((await importInto(workspaceId, folder)).wasFinished, false)
})

test('discards an unfinished import, after which the export can be imported from the start', async () => {
  const workspaceId = await emptyWorkspace()
  const folder = await copyOfExport('discarded')
  const onProgress = ({ step }: Progress) => {
    if (step === 'releases') throw new Error('interrupted')
  }
  await assert.rejects(importInto(workspaceId, folder, { onProgress }), /interrupted/)
  const { db, config } = target.deps
  const applicationsOf = () =>
    db.selectFrom('applications').select('id').where('workspace_id', '=', workspaceId).execute()
  const hidden = await applicationsOf()
  assert.ok(hidden.length > 0)
  const discarding = { db, folder, workspaceId, trashDays: config.trashDays }
  const { stdout, code } = await runAdmin(target, ['import', folder, '--workspace', workspaceId, '--discard'])
  assert.equal(code, 0)
  assert.match(stdout, new RegExp(`^Discarded the unfinished import\\. .*: ${hidden.length}\\. `))
  assert.equal(await discardImport(discarding), undefined)
  await purgeOverdueBuilds(target.deps)
  await purgeOverdueApplications(target.deps)
  assert.deepEqual(await applicationsOf(), [])
  const { idMapPath, wasFinished } = await importInto(workspaceId, folder)
  assert.equal(wasFinished, false)
  const key = await target.key(workspaceId, null, ['builds:read'])
  const id = (await readIdMap(idMapPath)).get(fixture.applicationId)
  const { body } = await target.call('GET', `/applications/${id}/builds`, { key })
  assert.equal(body.pagination.total, 4)
  assert.equal(await discardImport(discarding), undefined, 'a complete import is not discarded')
})

test('the commands resume after they are killed', async () => {
  const folder = join(parent, 'killed')
  const passphraseFile = join(parent, 'passphrase')
  await writeFile(passphraseFile, `${passphrase}\n`)
  const options = ['--passphrase-file', passphraseFile]
  await adminWithKills(source, 30, ['export', folder, '--workspace', fixture.workspaceId, ...options])
  const workspaceId = await emptyWorkspace()
  await adminWithKills(target, 30, ['import', folder, '--workspace', workspaceId, ...options])
  const key = await target.key(workspaceId, null, ['applications:read', 'builds:read'])
  const { body } = await target.call('GET', '/applications', { key })
  const path = `/applications/${body.data[0].id}/builds`
  assert.equal((await target.call('GET', path, { key })).body.pagination.total, 4)
  const { count } = await target.deps.db
    .selectFrom('import_objects')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  assert.equal(count, 0)
})
