import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLayers } from './check-layers.ts'

const src = 'packages/server/src'

type Case = { what: string; path: string; text: string; says: RegExp | undefined }

const cases: Case[] = [
  {
    what: 'a feature uses what lies below it',
    path: `${src}/features/builds/list-builds.ts`,
    text: `import { endpoint } from '../../http/endpoint.ts'\nimport type { Deps } from '../../deps.ts'`,
    says: undefined,
  },
  {
    what: 'lib knows the catalogue',
    path: `${src}/lib/semver.ts`,
    text: `import { platforms } from '../catalog/platforms.ts'`,
    says: /^1 lib\/semver\.ts may not import catalog\/platforms\.ts, which is above it/,
  },
  {
    what: 'a format reads the database',
    path: `${src}/formats/zip.ts`,
    text: `import type { Db } from '../database/transaction.ts'`,
    says: /may not import database/,
  },
  {
    what: 'plumbing imports a feature, also only a type of it',
    path: `${src}/http/authentication.ts`,
    text: `\nimport type { ApiKey } from '../features/api-keys/api-key.ts'`,
    says: /^2 http\/authentication\.ts may not import features/,
  },
  {
    what: 'plumbing loads a feature late',
    path: `${src}/jobs/run.ts`,
    text: `await import('../features/builds/process-build.job.ts')`,
    says: /may not import features\/builds\/process-build\.job\.ts/,
  },
  {
    what: 'plumbing names a type in passing',
    path: `${src}/storage/x.ts`,
    text: `export type Key = import('../features/builds/build.ts').Build`,
    says: /may not import features/,
  },
  {
    what: 'plumbing starts a worker out of a feature',
    path: `${src}/storage/x.ts`,
    text: `new Worker(new URL('../features/builds/read.worker.ts', import.meta.url))`,
    says: /may not import features/,
  },
  {
    what: 'an import is computed',
    path: `${src}/jobs/run.ts`,
    text: 'await import(`../features/${name}.ts`)',
    says: /must be written out/,
  },
  {
    what: 'a feature imports the list of routes',
    path: `${src}/features/builds/build.ts`,
    text: `import { routes } from '../../routes.ts'`,
    says: /may not import routes\.ts/,
  },
  {
    what: 'routes import the app',
    path: `${src}/routes.ts`,
    text: `import { createApp } from './app.ts'`,
    says: /may not import app\.ts/,
  },
  {
    what: 'the app imports main',
    path: `${src}/app.ts`,
    text: `import { start } from './main.ts'`,
    says: /may not import main\.ts/,
  },
  {
    what: 'a folder is in no layer',
    path: `${src}/plugins/one.ts`,
    text: `import { x } from '../lib/ids.ts'`,
    says: /is in no layer/,
  },
  {
    what: "a feature uses another one's noun",
    path: `${src}/features/uploads/verify-upload.ts`,
    text: `import { buildSchema } from '../builds/build.ts'\nimport { fileSchema } from '../builds/file.ts'`,
    says: undefined,
  },
  {
    what: 'a feature reads another one',
    path: `${src}/features/uploads/verify-upload.ts`,
    text: `import { findBuild, listBuilds, requireBuild, selectBuild, type BuildRow } from '../builds/build.db.ts'`,
    says: undefined,
  },
  {
    what: 'a feature writes by another one',
    path: `${src}/features/uploads/verify-upload.ts`,
    text: `import { findBuild, updateBuild as findIt } from '../builds/build.db.ts'`,
    says: /^1 updateBuild of features\/builds\/build\.db\.ts: another feature may only read/,
  },
  {
    what: 'a feature takes everything of another one',
    path: `${src}/features/uploads/verify-upload.ts`,
    text: `import * as builds from '../builds/build.db.ts'`,
    says: /^1 \* of features/,
  },
  {
    what: 'a write is open to others',
    path: `${src}/features/applications/create-application.ts`,
    text: `import { insertStreamsFromDefaults } from '../streams/stream.db.ts'`,
    says: undefined,
  },
  {
    what: "a feature calls another one's operation",
    path: `${src}/features/uploads/verify-upload.ts`,
    text: `import { getBuild } from '../builds/get-build.ts'`,
    says: /get-build\.ts is an operation of builds: another feature may import its nouns \(build/,
  },
  {
    what: "a feature imports another one's operation",
    path: `${src}/features/uploads/verify-upload.ts`,
    text: `import { processBuild } from '../builds/process-build.ts'`,
    says: /is an operation of builds/,
  },
  {
    what: "a feature names another one's job, to enqueue it",
    path: `${src}/features/uploads/verify-upload.ts`,
    text: `import { processBuild } from '../builds/process-build.job.ts'`,
    says: undefined,
  },
  {
    what: "a feature writes another noun's table",
    path: `${src}/features/uploads/upload.db.ts`,
    text: `\n\nexport const x = (db: Db) =>\n  db.insertInto('builds').values({})`,
    says: /^4 only features\/builds may write the table builds/,
  },
  {
    what: "a feature updates another noun's table under an alias",
    path: `${src}/features/uploads/upload.db.ts`,
    text: `db.updateTable('streams as s').set({})`,
    says: /only features\/streams may write the table streams/,
  },
  {
    what: "a feature deletes from another noun's table among its own",
    path: `${src}/features/uploads/upload.db.ts`,
    text: `db.deleteFrom(['pending_uploads', 'files'])`,
    says: /only features\/builds may write the table files/,
  },
  {
    what: "a feature writes another noun's table in plain SQL",
    path: `${src}/features/uploads/upload.db.ts`,
    text: 'sql`with gone as (delete\n from builds where id = ${id} returning 1) select count(*) from gone`',
    says: /only features\/builds may write the table builds/,
  },
  {
    what: "a feature reads another noun's table and locks it",
    path: `${src}/features/uploads/upload.db.ts`,
    text: `db.selectFrom('builds').forUpdate(); sql\`select 1 from builds for update\``,
    says: undefined,
  },
  {
    what: 'a feature writes its own table',
    path: `${src}/features/uploads/upload.db.ts`,
    text: `db.insertInto('pending_uploads'); db.deleteFrom('pending_upload_files as f')`,
    says: undefined,
  },
  {
    what: 'a table is computed',
    path: `${src}/features/uploads/upload.db.ts`,
    text: `db.insertInto(table)`,
    says: /written out/,
  },
  {
    what: 'a table has no owner',
    path: `${src}/features/uploads/upload.db.ts`,
    text: `db.insertInto('notes')`,
    says: /nobody owns the table notes/,
  },
  {
    what: 'a migration makes a table without an owner',
    path: 'packages/server/migrations/0099-notes.sql',
    text: `-- more\nCREATE TABLE IF NOT EXISTS notes (id uuid);`,
    says: /^2 nobody owns the table notes/,
  },
  {
    what: 'SQL stands in an operation',
    path: `${src}/features/builds/get-build.ts`,
    text: `db.selectFrom('builds')`,
    says: /selectFrom: SQL stands in \*\.db\.ts files only/,
  },
  {
    what: 'an operation imports the query builder',
    path: `${src}/features/builds/get-build.ts`,
    text: `import { sql } from 'kysely'`,
    says: /kysely: SQL stands in \*\.db\.ts files only/,
  },
  {
    what: 'an acceptance test imports the source',
    path: 'packages/server/test/acceptance/upload.test.ts',
    text: `import { createApp } from '../../src/app.ts'`,
    says: /acceptance tests speak HTTP and the command line only/,
  },
  {
    what: 'an acceptance test imports the harness',
    path: 'packages/server/test/acceptance/upload.test.ts',
    text: `import { serve } from '../harness.ts'\nimport assert from 'node:assert/strict'\nimport { call } from './call.ts'`,
    says: /^1 acceptance tests speak HTTP/,
  },
  {
    what: 'source imports a test',
    path: `${src}/lib/ids.ts`,
    text: `import { x } from '../../test/factories.ts'`,
    says: /is a test's/,
  },
  {
    what: 'a test uses harness, app and features',
    path: `${src}/features/builds/list-builds.test.ts`,
    text: `import { serve } from '../../../test/harness.ts'\nimport { insertStream } from '../streams/stream.db.ts'`,
    says: undefined,
  },
  {
    what: 'the command line imports the SDK',
    path: 'packages/cli/src/commands/builds/list.ts',
    text: `import { client } from '@quayside/sdk'\nimport { Command } from 'commander'`,
    says: undefined,
  },
  {
    what: 'a command imports the server',
    path: 'packages/cli/src/commands/builds/list.ts',
    text: `import { createApp } from '@quayside/server/main'`,
    says: /only the serve command may start the server/,
  },
  {
    what: 'the serve command starts the server',
    path: 'packages/cli/src/commands/serve.ts',
    text: `const { main } = await import('@quayside/server/main')`,
    says: undefined,
  },
  {
    what: "a command imports the server's files",
    path: 'packages/cli/src/commands/serve.ts',
    text: `import { createApp } from '../../../server/src/app.ts'`,
    says: /lies in another package/,
  },
  {
    what: 'the web console imports the server',
    path: 'packages/web/src/main.tsx',
    text: `import { x } from '@quayside/server/main'\nexport const y = <b>{x}</b>`,
    says: /^1 web imports @quayside\/sdk only/,
  },
  {
    what: 'the SDK imports the server',
    path: 'packages/sdk/src/client.ts',
    text: `import { x } from '@quayside/server/main'`,
    says: /the SDK imports nothing of ours/,
  },
  {
    what: 'the server imports the SDK',
    path: `${src}/app.ts`,
    text: `import { x } from '@quayside/sdk'`,
    says: /the server knows none of the other packages/,
  },
  {
    what: 'a package imports a script of the repository',
    path: `${src}/app.ts`,
    text: `import { x } from '../../../scripts/x.ts'`,
    says: /is no part of a package/,
  },
  {
    what: 'a file passes on what another one offers',
    path: `${src}/lib/all.ts`,
    text: `export * from './ids.ts'`,
    says: /no re-exports/,
  },
  { what: 'a barrel', path: `${src}/lib/index.ts`, text: '', says: /no barrels/ },
  {
    what: 'a name that says nothing',
    path: `${src}/http/error-helpers.ts`,
    text: '',
    says: /"helpers" says nothing/,
  },
  { what: 'a file that does not parse', path: `${src}/lib/ids.ts`, text: 'const = 1', says: /^1 / },
]

for (const { what, path, text, says } of cases) {
  test(`layers, ${what}, ${says === undefined ? 'passes' : 'fails'}`, () => {
    const findings = checkLayers([{ path, text }])
    const lines = findings.map(({ line, message }) => `${line} ${message}`)
    if (says === undefined) assert.deepEqual(lines, [])
    else {
      assert.equal(lines.length, 1, lines.join('\n'))
      assert.match(lines[0] ?? '', says)
      assert.equal(findings[0]?.path, path)
    }
  })
}
