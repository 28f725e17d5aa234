import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createExport } from '../src/export/create-export.ts'
import { insertFirstDefaultStreams } from '../src/features/streams/default-stream.db.ts'
import { runImport, type ImportOptions } from '../src/import/run-import.ts'
import { shortId } from '../src/lib/ids.ts'
import { compareWorkspaces } from './compare-workspaces.ts'
import { startOwnService, type Service } from './harness.ts'
import { createFixture, type Fixture } from './world.ts'

let source: Service
let target: Service
let fixture: Fixture
let parent: string

before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'quayside-export-'))
  source = await startOwnService()
  target = await startOwnService()
  fixture = await createFixture(source)
  // Waiting requests stay with the server that sends them.
  await source.deps.db
    .updateTable('webhook_requests')
    .set({ state: 'delivered', next_attempt_at: null, response_code: 200 })
    .execute()
})
after(async () => {
  await Promise.all([source?.close(), target?.close()])
  await rm(parent, { recursive: true, force: true })
})

const passphrase = 'a passphrase of the tests'

function exportTo(folder: string, applicationId: string | null) {
  return createExport({
    folder,
    scope: { workspaceId: fixture.workspaceId, applicationId },
    config: { dataDir: source.dataDir, publicUrl: source.url },
    connection: source.state.connection,
    storage: source.deps.storage,
    secret: 'secret of the tests '.repeat(2),
    passphrase,
    onProgress: () => {},
  })
}

const importInto = (workspaceId: string, folder: string, options: Partial<ImportOptions> = {}) =>
  runImport({
    db: target.deps.db,
    storage: target.deps.storage,
    folder,
    publicUrl: target.url,
    workspaceId,
    secretBox: target.deps.secretBox,
    passphrase,
    skipsSecrets: false,
    trustedKey: undefined,
    onProgress: () => {},
    ...options,
  })

/** Creates a workspace like that of a new server. */
async function emptyWorkspace(): Promise<string> {
  const id = shortId(12)
  const { db } = target.deps
  await db.insertInto('workspaces').values({ id, name: 'Quayside' }).execute()
  await db.transaction().execute((tx) => insertFirstDefaultStreams(tx, id))
  return id
}

async function readIdMap(path: string): Promise<Map<string, string>> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  const ids = lines.map((line) => JSON.parse(line) as { from: string; to: string })
  return new Map(ids.map(({ from, to }) => [from, to]))
}

test('an imported workspace gives the same responses as the exported one', async () => {
  const folder = join(parent, 'workspace')
  await exportTo(folder, null)
  const { idMapPath } = await importInto(await emptyWorkspace(), folder)
  const key = fixture.workspaceKey
  const calls = await compareWorkspaces(
    { url: source.url, call: source.call, key, db: source.deps.db },
    { url: target.url, call: target.call, key, db: target.deps.db },
    { workspaceId: fixture.workspaceId, newIds: await readIdMap(idMapPath) },
  )
  console.log(calls)
  assert.deepEqual(
    Object.keys(calls).filter((name) => calls[name] === 0),
    [],
  )
})
