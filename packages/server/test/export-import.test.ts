import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createExport } from '../src/export/create-export.ts'
import { runImport } from '../src/import/run-import.ts'
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
})
after(async () => {
  await Promise.all([source?.close(), target?.close()])
  await rm(parent, { recursive: true, force: true })
})

const passphrase = 'a passphrase of the tests'

test('exports and imports', async () => {
  const folder = join(parent, 'workspace')
  const manifest = await createExport({
    folder,
    scope: { workspaceId: fixture.workspaceId, applicationId: null },
    config: { dataDir: source.dataDir, publicUrl: source.url },
    connection: source.state.connection,
    storage: source.deps.storage,
    secret: 'x'.repeat(40),
    passphrase: undefined,
    onProgress: () => {},
  })
  const { workspaceId } = await target.tenant()
  const result = await runImport({
    db: target.deps.db,
    storage: target.deps.storage,
    folder,
    workspaceId,
    secretBox: target.deps.secretBox,
    passphrase: undefined,
    skipsSecrets: false,
    trustedKey: undefined,
    onProgress: () => {},
  })
  console.log(manifest.tables.map(({ name, rows }) => `${name} ${rows}`), result)
})
