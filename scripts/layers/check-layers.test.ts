import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLayers } from './check-layers.ts'

const src = 'packages/server/src'

type Case = { name: string; path: string; text: string; expected: RegExp | undefined }

const cases: Case[] = [
  {
    name: 'a feature that imports from a lower layer',
    path: `${src}/features/builds/list-builds.ts`,
    text: `import { endpoint } from '../../http/endpoint.ts'\nimport type { Deps } from '../../deps.ts'`,
    expected: undefined,
  },
  {
    name: 'a feature that creates an error without a definition',
    path: `${src}/features/builds/build.ts`,
    text: `\nthrow new Problem('conflict', 'build.held', 'This build is used.')`,
    expected: /^2 new Problem: define the error/,
  },
  {
    name: 'a file in lib that imports the catalog',
    path: `${src}/lib/semver.ts`,
    text: `import { platforms } from '../catalog/platforms.ts'`,
    expected: /^1 lib\/semver\.ts may not import catalog\/platforms\.ts, which is above it/,
  },
  {
    name: 'a file in inspection that imports the database layer',
    path: `${src}/inspection/zip.ts`,
    text: `import type { Db } from '../database/transaction.ts'`,
    expected: /may not import database/,
  },
  {
    name: 'infrastructure code that imports a type from a feature',
    path: `${src}/http/authentication.ts`,
    text: `\nimport type { ApiKey } from '../features/api-keys/api-key.ts'`,
    expected: /^2 http\/authentication\.ts may not import features/,
  },
  {
    name: 'infrastructure code that imports a feature dynamically',
    path: `${src}/jobs/run.ts`,
    text: `await import('../features/builds/process-build.job.ts')`,
    expected: /may not import features\/builds\/process-build\.job\.ts/,
  },
  {
    name: 'infrastructure code that uses an inline type import from a feature',
    path: `${src}/storage/x.ts`,
    text: `export type Key = import('../features/builds/build.ts').Build`,
    expected: /may not import features/,
  },
  {
    name: 'infrastructure code that starts a worker from a feature',
    path: `${src}/storage/x.ts`,
    text: `new Worker(new URL('../features/builds/read.worker.ts', import.meta.url))`,
    expected: /may not import features/,
  },
  {
    name: 'an import with a computed path',
    path: `${src}/jobs/run.ts`,
    text: 'await import(`../features/${name}.ts`)',
    expected: /needs a literal path/,
  },
  {
    name: 'a feature that imports the route list',
    path: `${src}/features/builds/build.ts`,
    text: `import { routes } from '../../routes.ts'`,
    expected: /may not import routes\.ts/,
  },
  {
    name: 'an import of app.ts in routes.ts',
    path: `${src}/routes.ts`,
    text: `import { createApp } from './app.ts'`,
    expected: /may not import app\.ts/,
  },
  {
    name: 'an import of main.ts in app.ts',
    path: `${src}/app.ts`,
    text: `import { start } from './main.ts'`,
    expected: /may not import main\.ts/,
  },
  {
    name: 'a folder that is not assigned to a layer',
    path: `${src}/plugins/one.ts`,
    text: `import { x } from '../lib/ids.ts'`,
    expected: /is in no layer/,
  },
  {
    name: 'a feature that imports resource schemas from another feature',
    path: `${src}/features/uploads/verify-upload.ts`,
    text: `import { buildSchema } from '../builds/build.ts'\nimport { fileSchema } from '../builds/file.ts'`,
    expected: undefined,
  },
  {
    name: 'a feature that imports read functions from another feature',
    path: `${src}/features/uploads/verify-upload.ts`,
    text: `import { findBuild, listBuilds, requireBuild, selectBuild, type BuildRow } from '../builds/build.db.ts'`,
    expected: undefined,
  },
  {
    name: 'a feature that imports a write function from another feature',
    path: `${src}/features/uploads/verify-upload.ts`,
    text: `import { findBuild, updateBuild as findIt } from '../builds/build.db.ts'`,
    expected: /^1 updateBuild of features\/builds\/build\.db\.ts: other features may only read/,
  },
  {
    name: "a namespace import of another feature's database functions",
    path: `${src}/features/uploads/verify-upload.ts`,
    text: `import * as builds from '../builds/build.db.ts'`,
    expected: /^1 \* of features/,
  },
  {
    name: 'a feature that imports a write function listed in openWrites',
    path: `${src}/features/applications/create-application.ts`,
    text: `import { insertStreamsFromDefaults } from '../streams/stream.db.ts'`,
    expected: undefined,
  },
  {
    name: 'a feature that imports an endpoint from another feature',
    path: `${src}/features/uploads/verify-upload.ts`,
    text: `import { getBuild } from '../builds/get-build.ts'`,
    expected: /get-build\.ts is an operation of builds: other features may import only its nouns \(build/,
  },
  {
    name: 'a feature that imports a job from another feature',
    path: `${src}/features/uploads/verify-upload.ts`,
    text: `import { processBuild } from '../builds/process-build.job.ts'`,
    expected: undefined,
  },
  {
    name: "a feature that inserts into another feature's table",
    path: `${src}/features/uploads/upload.db.ts`,
    text: `\n\nexport const x = (db: Db) =>\n  db.insertInto('builds').values({})`,
    expected: /^4 only features\/builds may write the table builds/,
  },
  {
    name: "a feature that updates another feature's table through an alias",
    path: `${src}/features/uploads/upload.db.ts`,
    text: `db.updateTable('streams as s').set({})`,
    expected: /only features\/streams may write the table streams/,
  },
  {
    name: "a feature that deletes from its own table and from another feature's table",
    path: `${src}/features/uploads/upload.db.ts`,
    text: `db.deleteFrom(['pending_uploads', 'files'])`,
    expected: /only features\/builds may write the table files/,
  },
  {
    name: "a feature that writes to another feature's table with raw SQL",
    path: `${src}/features/uploads/upload.db.ts`,
    text: 'sql`with gone as (delete\n from builds where id = ${id} returning 1) select count(*) from gone`',
    expected: /only features\/builds may write the table builds/,
  },
  {
    name: "a feature that reads and locks rows in another feature's table",
    path: `${src}/features/uploads/upload.db.ts`,
    text: `db.selectFrom('builds').forUpdate(); sql\`select 1 from builds for update\``,
    expected: undefined,
  },
  {
    name: 'a feature that writes to its own tables',
    path: `${src}/features/uploads/upload.db.ts`,
    text: `db.insertInto('pending_uploads'); db.deleteFrom('pending_upload_files as f')`,
    expected: undefined,
  },
  {
    name: 'a computed table name',
    path: `${src}/features/uploads/upload.db.ts`,
    text: `db.insertInto(table)`,
    expected: /needs a literal table name/,
  },
  {
    name: 'a table without an owner',
    path: `${src}/features/uploads/upload.db.ts`,
    text: `db.insertInto('notes')`,
    expected: /the table notes has no owner/,
  },
  {
    name: 'a migration that creates a table without an owner',
    path: 'packages/server/migrations/0099-notes.sql',
    text: `-- more\nCREATE TABLE IF NOT EXISTS notes (id uuid);`,
    expected: /^2 the table notes has no owner/,
  },
  {
    name: 'an SQL query in an endpoint file',
    path: `${src}/features/builds/get-build.ts`,
    text: `db.selectFrom('builds')`,
    expected: /selectFrom: SQL belongs in \*\.db\.ts files/,
  },
  {
    name: 'an endpoint file that imports the query builder',
    path: `${src}/features/builds/get-build.ts`,
    text: `import { sql } from 'kysely'`,
    expected: /kysely: SQL belongs in \*\.db\.ts files/,
  },
  {
    name: 'an acceptance test that imports server source code',
    path: 'packages/server/test/acceptance/upload.test.ts',
    text: `import { createApp } from '../../src/app.ts'`,
    expected: /acceptance tests use HTTP and the command line only/,
  },
  {
    name: 'an acceptance test that imports the test harness',
    path: 'packages/server/test/acceptance/upload.test.ts',
    text: `import { serve } from '../harness.ts'\nimport assert from 'node:assert/strict'\nimport { call } from './call.ts'`,
    expected: /^1 acceptance tests use HTTP/,
  },
  {
    name: 'source code that imports a test file',
    path: `${src}/lib/ids.ts`,
    text: `import { x } from '../../test/factories.ts'`,
    expected: /belongs to the tests/,
  },
  {
    name: 'a test that imports the test harness and another feature',
    path: `${src}/features/builds/list-builds.test.ts`,
    text: `import { serve } from '../../../test/harness.ts'\nimport { insertStream } from '../streams/stream.db.ts'`,
    expected: undefined,
  },
  {
    name: 'a CLI command that imports the SDK',
    path: 'packages/cli/src/commands/builds/list.ts',
    text: `import { client } from '@quayside/sdk'\nimport { Command } from 'commander'`,
    expected: undefined,
  },
  {
    name: 'a CLI command that imports the server package',
    path: 'packages/cli/src/commands/builds/list.ts',
    text: `import { createApp } from '@quayside/server'`,
    expected: /^1 cli imports @quayside\/sdk only/,
  },
  {
    name: 'a CLI command that imports a server file by relative path',
    path: 'packages/cli/src/commands/builds/list.ts',
    text: `import { createApp } from '../../../../server/src/app.ts'`,
    expected: /is in another package/,
  },
  {
    name: 'web console code that imports the server package',
    path: 'packages/web/src/main.tsx',
    text: `import { x } from '@quayside/server'\nexport const y = <b>{x}</b>`,
    expected: /^1 web imports @quayside\/sdk only/,
  },
  {
    name: 'SDK code that imports the server package',
    path: 'packages/sdk/src/client.ts',
    text: `import { x } from '@quayside/server'`,
    expected: /the SDK imports no other package/,
  },
  {
    name: 'server code that imports the SDK',
    path: `${src}/app.ts`,
    text: `import { x } from '@quayside/sdk'`,
    expected: /the server imports @quayside\/embedded-postgres only/,
  },
  {
    name: 'a worker of the server that imports the SDK',
    path: `${src}/features/builds/chunks/chunk-index.worker.ts`,
    text: `import { x } from '@quayside/sdk/chunk-index'`,
    expected: undefined,
  },
  {
    name: 'embedded-postgres code that imports the server package',
    path: 'packages/embedded-postgres/src/start.ts',
    text: `import { x } from '@quayside/server'`,
    expected: /embedded-postgres imports no other package/,
  },
  {
    name: 'a package that imports a repository script',
    path: `${src}/app.ts`,
    text: `import { x } from '../../../scripts/x.ts'`,
    expected: /is not part of a package/,
  },
  {
    name: 'a re-export',
    path: `${src}/lib/all.ts`,
    text: `export * from './ids.ts'`,
    expected: /no re-exports/,
  },
  { name: 'a barrel file', path: `${src}/lib/index.ts`, text: '', expected: /no barrels/ },
  {
    name: 'a file name that is too generic',
    path: `${src}/http/error-helpers.ts`,
    text: '',
    expected: /"helpers" is not descriptive/,
  },
  { name: 'a file with a syntax error', path: `${src}/lib/ids.ts`, text: 'const = 1', expected: /^1 / },
]

for (const { name, path, text, expected } of cases) {
  test(`${expected === undefined ? 'allows' : 'rejects'} ${name}`, () => {
    const findings = checkLayers([{ path, text }])
    const lines = findings.map(({ line, message }) => `${line} ${message}`)
    if (expected === undefined) return assert.deepEqual(lines, [])
    assert.equal(lines.length, 1, lines.join('\n'))
    assert.match(lines[0] ?? '', expected)
    assert.equal(findings[0]?.path, path)
  })
}
