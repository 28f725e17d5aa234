import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { createExport } from '../src/export/create-export.ts'
import { exportPaths } from '../src/export/export-folder.ts'
import { deriveExportKey, signBytes } from '../src/export/export-key.ts'
import { runImport } from '../src/import/run-import.ts'
import { shortId } from '../src/lib/ids.ts'
import { startOwnService, type Service } from './harness.ts'
import { uploadedBuild, versionOf } from './uploading.ts'
import { createFixture, type Fixture } from './world.ts'

type Manifest = Record<string, unknown> & {
  scope: { workspace_id: string; application_id: string | null }
  tables: { name: string; rows: number; sha256: string }[]
  files: { count: number; sha256: string }
}
type Row = Record<string, unknown>

let service: Service
let fixture: Fixture
let parent: string
const exports: Record<'workspace' | 'application', string> = { workspace: '', application: '' }

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

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(exportPaths(folder).manifest, 'utf8')) as Manifest

/** Signs a manifest with the key of an attacker, whose checksums match the modified files. */
async function sign(folder: string, change: (manifest: Manifest) => void = () => {}): Promise<void> {
  const paths = exportPaths(folder)
  const manifest = await readManifest(folder)
  const describe = async (path: string) => {
    const text = await readFile(path, 'utf8').catch(() => '')
    const sha256 = createHash('sha256').update(text).digest('hex')
    return { rows: text.split('\n').length - 1, sha256 }
  }
  for (const table of manifest.tables) Object.assign(table, await describe(paths.rows(table.name)))
  const { rows: count, sha256 } = await describe(paths.index)
  Object.assign(manifest.files, { count, sha256 })
  change(manifest)
  await signText(folder, JSON.stringify(manifest))
}

async function signText(folder: string, text: string): Promise<void> {
  const paths = exportPaths(folder)
  await writeFile(paths.manifest, text)
  await writeFile(paths.signature, signBytes(deriveExportKey('secret of an attacker'), Buffer.from(text)))
}

/** Returns a change of the first row of a table, or of the line that `files.jsonl` has for it. */
const changedRow =
  (table: string, fields: Row | ((row: Row) => Row)) =>
  async (folder: string): Promise<void> => {
    const path = table === 'files.jsonl' ? exportPaths(folder).index : exportPaths(folder).rows(table)
    const [first = '', ...others] = (await readFile(path, 'utf8')).split('\n')
    const row = JSON.parse(first) as Row
    const changed = typeof fields === 'function' ? fields(row) : { ...row, ...fields }
    await writeFile(path, [JSON.stringify(changed), ...others].join('\n'))
    await signWithOwnKey(folder)
  }

const addedLine =
  (table: string, line: string | ((first: string) => string)) =>
  async (folder: string): Promise<void> => {
    const path = exportPaths(folder).rows(table)
    const [first = ''] = (await readFile(path, 'utf8')).split('\n')
    await appendFile(path, `${typeof line === 'string' ? line : line(first)}\n`)
    await signWithOwnKey(folder)
  }

const signWithOwnKey = (folder: string) =>
  sign(folder, (manifest) => {
    manifest['public_key'] = deriveExportKey('secret of an attacker').publicKey
  })

const changedManifest = (change: (manifest: Manifest) => void) => (folder: string) =>
  sign(folder, (manifest) => {
    manifest['public_key'] = deriveExportKey('secret of an attacker').publicKey
    change(manifest)
  })

async function firstFile(folder: string): Promise<string> {
  const entries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })
  const file = entries.find((entry) => entry.isFile())
  assert.ok(file)
  return join(file.parentPath, file.name)
}

type Case = {
  name: string
  change: (folder: string) => Promise<void>
  of?: keyof typeof exports
  code?: string
  message: RegExp
}

const uuid = '00000000-0000-7000-8000-000000000000'
const otherId = '23456789abcd'
const copyAgain = /Copy it from the original export, then rerun the import\./
const exportAgain = /Export again on the other server\./

/** Cases that are rejected before anything is imported. */
const rejected: Case[] = [
  {
    name: 'a missing manifest',
    change: (folder) => rm(exportPaths(folder).manifest),
    code: 'export.incomplete',
    message: /Rerun the export to complete it\./,
  },
  {
    name: 'a folder instead of the manifest',
    async change(folder) {
      await rm(exportPaths(folder).manifest)
      await mkdir(exportPaths(folder).manifest)
    },
    message: /manifest\.json is not a regular file/,
  },
  {
    name: 'a truncated manifest',
    change: (folder) => truncate(exportPaths(folder).manifest, 100),
    message: /manifest\.json is damaged: it is not JSON/,
  },
  {
    name: 'a manifest that was changed without a new signature',
    change: (folder) => appendFile(exportPaths(folder).manifest, ' '),
    message: /signature of .* is missing or not valid/,
  },
  {
    name: 'a missing signature',
    change: (folder) => rm(exportPaths(folder).signature),
    message: /signature of .* is missing or not valid/,
  },
  {
    name: 'a signature that is not Base64',
    change: (folder) => writeFile(exportPaths(folder).signature, '\u0000\u0000'),
    message: /signature of .* is missing or not valid/,
  },
  {
    name: 'a manifest that is null',
    change: (folder) => signText(folder, 'null'),
    message: /signature of .* is missing or not valid/,
  },
  {
    name: 'a newer format',
    change: changedManifest((manifest) => (manifest['format'] = 2)),
    code: 'export.unknown_format',
    message: /has the format 2.*Update this server/,
  },
  {
    name: 'a newer schema',
    change: changedManifest((manifest) => (manifest['schema_version'] = 9999)),
    code: 'export.newer_version',
    message: /newer than this server. Update the server first/,
  },
  ...(
    [
      ['an ID that is a path', (manifest) => (manifest['id'] = '../../etc'), /`id` must match pattern/],
      [
        'a URL with an escape sequence',
        (manifest) => (manifest['source'] = { url: 'https://a\u001b[2J', installation_id: null }),
        /`source\.url` must match pattern/,
      ],
      [
        'a workspace ID that is a path',
        (manifest) => (manifest.scope.workspace_id = '../../..'),
        /`scope\.workspace_id` must match pattern/,
      ],
      [
        'tables that are not a list',
        (manifest) => (manifest['tables'] = {} as never),
        /`tables` must be array/,
      ],
      [
        'a table whose name is a path',
        (manifest) => (manifest.tables[0]!.name = '../../../etc/passwd'),
        /`tables\.0\.name` must match pattern/,
      ],
      [
        'a table of a newer version',
        (manifest) => (manifest.tables[0]!.name = 'api_tokens'),
        /this version has no table `api_tokens`/,
      ],
      [
        'a table of the database that is never exported',
        (manifest) => (manifest.tables[0]!.name = 'master_secret'),
        /this version has no table `master_secret`/,
      ],
      [
        'a table that is listed twice',
        (manifest) => manifest.tables.push(manifest.tables[0]!),
        /lists the table `workspaces` more than once/,
      ],
      [
        'no table of builds',
        (manifest) => (manifest.tables = manifest.tables.filter(({ name }) => name !== 'builds')),
        /lists no table `builds`/,
      ],
      [
        'a negative number of files',
        (manifest) => (manifest.files.count = -1),
        /`files\.count` must be >= 0/,
      ],
    ] satisfies [string, (manifest: Manifest) => unknown, RegExp][]
  ).map(([name, change, message]) => ({
    name: `a manifest with ${name}`,
    change: changedManifest((manifest) => void change(manifest)),
    code: 'export.invalid_manifest',
    message,
  })),
  {
    name: 'rows that were changed without a new checksum',
    change: (folder) => appendFile(exportPaths(folder).rows('builds'), '{}\n'),
    message: /builds\.jsonl of the export is missing or damaged/,
  },
  {
    name: 'missing rows',
    change: (folder) => rm(exportPaths(folder).rows('streams')),
    message: /streams\.jsonl of the export is missing or damaged/,
  },
  {
    name: 'a link to another file instead of rows',
    async change(folder) {
      await rm(exportPaths(folder).rows('streams'))
      await symlink('/etc/passwd', exportPaths(folder).rows('streams'))
    },
    message: /streams\.jsonl is not a regular file/,
  },
  {
    name: 'a truncated last line',
    async change(folder) {
      const path = exportPaths(folder).rows('builds')
      const text = await readFile(path)
      await writeFile(path, text.subarray(0, -20))
    },
    message: /builds\.jsonl of the export is missing or damaged/,
  },
  {
    name: 'more rows than the manifest says',
    change: changedManifest((manifest) => (manifest.tables.find(({ name }) => name === 'builds')!.rows += 1)),
    message: /builds\.jsonl of the export is missing or damaged/,
  },
  {
    name: 'a missing list of files',
    change: (folder) => rm(exportPaths(folder).index),
    message: /files\.jsonl of the export is missing or damaged/,
  },
  {
    name: 'a line that is not JSON',
    change: addedLine('builds', '{"id":"23456'),
    code: 'export.invalid_row',
    message: /Line 3 of .*builds\.jsonl is not a JSON object/,
  },
  {
    name: 'a line that is a list',
    change: addedLine('builds', '[]'),
    code: 'export.invalid_row',
    message: /Line 3 of .*builds\.jsonl is not a JSON object/,
  },
  {
    name: 'a line of 40 MB',
    change: addedLine('builds', (first) => JSON.stringify({ ...JSON.parse(first), notes: 'x'.repeat(4e7) })),
    code: 'export.invalid_row',
    message: /A line of .*builds\.jsonl is longer than any row/,
  },
  {
    name: 'a row whose ID is a path',
    change: changedRow('builds', { id: '../../x' }),
    code: 'export.invalid_row',
    message: /Line 1 of .*builds\.jsonl has an invalid `id`/,
  },
  {
    name: 'a row whose ID is a number',
    change: changedRow('builds', { id: 7 }),
    code: 'export.invalid_row',
    message: /has an invalid `id`/,
  },
  {
    name: 'a reference of 1,000 characters',
    change: changedRow('builds', { stream_id: 'x'.repeat(1000) }),
    code: 'export.invalid_row',
    message: /has an invalid `stream_id`/,
  },
  {
    name: 'a row of another workspace',
    change: changedRow('builds', { workspace_id: otherId }),
    code: 'export.invalid_row',
    message: /Line 1 of .*builds\.jsonl belongs to another workspace/,
  },
  {
    name: 'a second workspace',
    change: addedLine('workspaces', (first) => JSON.stringify({ ...JSON.parse(first), id: otherId })),
    code: 'export.invalid_manifest',
    message: /`workspaces` must have one row/,
  },
  {
    name: 'an application whose deletion time is not a time',
    change: changedRow('applications', { deleted_at: "'; drop table builds; --" }),
    code: 'export.invalid_row',
    message: /has an invalid `deleted_at`/,
  },
  {
    name: 'an API key of the workspace in the export of an application',
    of: 'application',
    change: changedRow('api_keys', { application_id: null, kind: 'workspace' }),
    code: 'export.invalid_row',
    message: /does not belong to the exported application/,
  },
  {
    name: 'a role in the workspace in the export of an application',
    of: 'application',
    change: changedRow('workspace_members', { role: 'owner' }),
    code: 'export.invalid_row',
    message: /gives a role in the workspace/,
  },
  {
    name: 'a portal in the export of an application',
    of: 'application',
    change: addedLine('portals', JSON.stringify({ id: otherId })),
    code: 'export.invalid_row',
    message: /does not belong to the exported application/,
  },
  {
    name: 'a checksum that is a path',
    change: changedRow('files.jsonl', { sha256: '../../../../etc/passwd' }),
    code: 'export.invalid_row',
    message: /Line 1 of .*files\.jsonl is invalid: `sha256` must match pattern/,
  },
  {
    name: 'a file with a negative size',
    change: changedRow('files.jsonl', { size_bytes: -1 }),
    code: 'export.invalid_row',
    message: /is invalid: `size_bytes` must be >= 0/,
  },
  {
    name: 'an icon that is an HTML page',
    change: changedRow('files.jsonl', { icon_type: 'text/html' }),
    code: 'export.invalid_row',
    message: /is invalid: `icon_type`/,
  },
  {
    name: 'a lock file that is a link',
    async change(folder) {
      await rm(join(folder, 'instance.lock'), { force: true })
      await symlink(join(parent, 'precious'), join(folder, 'instance.lock'))
    },
    message: /instance\.lock is not a regular file/,
  },
]

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
  for (const { name, of = 'workspace', change, code = 'export.damaged', message } of rejected)
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

/** Cases that are found during the import. The import resumes with the original files. */
const interrupting: Case[] = [
  {
    name: 'a stored file with other bytes',
    change: async (folder) => {
      const path = await firstFile(folder)
      const bytes = await readFile(path)
      bytes[0]! ^= 1
      await writeFile(path, bytes)
    },
    message: copyAgain,
  },
  {
    name: 'a stored file that is too short',
    change: async (folder) => truncate(await firstFile(folder), 3),
    message: copyAgain,
  },
  {
    name: 'a missing stored file',
    change: async (folder) => rm(await firstFile(folder)),
    message: copyAgain,
  },
  {
    name: 'a pipe instead of a stored file',
    async change(folder) {
      const path = await firstFile(folder)
      await rm(path)
      await mkdir(path)
    },
    message: /is not a regular file/,
  },
  {
    name: 'a build in a stream that is not exported',
    change: changedRow('builds', { stream_id: otherId }),
    code: 'export.invalid_row',
    message: /The row \w+ of the table `builds` was not imported: .*builds_stream/,
  },
  {
    name: 'two builds with the same ID',
    change: addedLine('builds', (first) => first),
    code: 'export.invalid_row',
    message: /of the table `builds` was not imported: .*duplicate key/,
  },
  {
    name: 'text in a column of numbers',
    change: changedRow('builds', { version_major: 'one' }),
    code: 'export.invalid_row',
    message: /of the table `builds` was not imported: .*invalid input syntax/,
  },
  {
    name: 'a row without a required value',
    change: changedRow('builds', { platform: null }),
    code: 'export.invalid_row',
    message: /of the table `builds` was not imported: .*null value in column "platform"/,
  },
  {
    name: 'text with a null character',
    change: changedRow('builds', { notes: 'a\u0000b' }),
    code: 'export.invalid_row',
    message: /of the table `builds` was not imported/,
  },
  {
    name: 'an unknown role',
    change: changedRow('workspace_members', { role: 'root' }),
    code: 'export.invalid_row',
    message: /of the table `workspace_members` was not imported: .*role_check/,
  },
]

test('stops at a row or a file that cannot be imported, shows nothing, and resumes with the original', async (t) => {
  for (const { name, change, code = 'export.damaged', message } of interrupting)
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
  let hasChanged = false
  const change = async () => {
    await cp(path, original)
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replaceAll('linux', 'macos'))
  }
  const changing: Promise<void>[] = []
  const attempt = importInto(workspaceId, folder, (step) => {
    if (step !== 'streams' || hasChanged) return
    hasChanged = true
    changing.push(change())
  })
  await assert.rejects(attempt, {
    code: 'export.changed',
    message: /builds\.jsonl was changed during the import\. Copy it from the original export/,
  })
  await Promise.all(changing)
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
  assert.equal(dirname(precious), parent)
  assert.notEqual(uuid, otherId)
})
