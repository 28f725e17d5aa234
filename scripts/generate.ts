import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scalingChart } from '../bench/growth/chart.ts'
import { historyFiles } from '../bench/history/history-files.ts'
import { version } from '../packages/server/src/config/version.ts'
import { connectDatabase } from '../packages/server/src/database/connect.ts'
import { startEmbeddedDatabase } from '../packages/server/src/database/embedded-database.ts'
import { describeTables } from '../packages/server/src/database/schema/describe-tables.ts'
import { migrate } from '../packages/server/src/database/schema/migrate.ts'
import { renderSchemaPage } from '../packages/server/src/database/schema/schema-page.ts'
import { webhookEvents } from '../packages/server/src/features/webhooks/webhook-events.ts'
import { openApiDocument } from '../packages/server/src/http/reference/openapi.ts'
import { routes } from '../packages/server/src/routes.ts'
import { ciEnvironmentsPage } from './ci-environments-page.ts'
import { manualPage, referencePage } from './cli-pages.ts'
import { contractPage } from './contract-page.ts'
import { errorsPage } from './errors-page.ts'
import { launcherCopies } from './integrations.ts'
import { installTools } from './tools/tool-sets.ts'

// `npm run generate` writes every generated file. With --check, it reports whether openapi.json, the SDK and the
// generated pages in docs are up to date. database/tables.test.ts checks the files that are generated from a database.
const root = join(import.meta.dirname, '..')
const isCheck = process.argv.includes('--check')

function write(path: string, text: string): void {
  const current = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
  if (current === text) return
  if (!isCheck) writeFileSync(join(root, path), text)
  else fail(`${path} is out of date: run \`npm run generate\` and commit it.`)
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}

async function writeDatabaseFiles(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quayside-generate-'))
  const log = { info: () => {}, warn: console.warn, error: console.error }
  const postgres = await startEmbeddedDatabase({ dataDir, log, settings: { fsync: 'off' } })
  const { pool, close } = connectDatabase({ connection: postgres.connection, maxConnections: 1, log })
  try {
    await migrate(pool, join(root, 'packages/server/migrations'))
    write('packages/server/src/database/tables.ts', await describeTables(pool))
    const page = readFileSync(join(root, 'docs/schema.md'), 'utf8')
    write('docs/schema.md', await renderSchemaPage(pool, page))
  } finally {
    await close()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

installTools('check')
write('openapi.json', `${JSON.stringify(openApiDocument(routes, webhookEvents, version), null, 2)}\n`)
const sdk = ['packages/sdk/generate.ts', ...(isCheck ? ['--check'] : [])]
if (spawnSync(process.execPath, sdk, { cwd: root, stdio: 'inherit' }).status !== 0) process.exitCode = 1
write('docs/cli.md', await referencePage())
write('packages/cli/man/quayside.1', await manualPage())
const contract = contractPage(root)
write('docs/contract.md', contract.text)
write('docs/ci-environments.md', ciEnvironmentsPage(root))
for (const error of contract.errors) fail(error)
write('docs/errors.md', await errorsPage(root))
for (const [path, text] of launcherCopies(root)) write(path, text)
for (const [path, text] of [...historyFiles(root), scalingChart(root)]) write(path, text)
if (!isCheck) await writeDatabaseFiles()
