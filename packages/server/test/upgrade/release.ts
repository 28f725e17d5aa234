import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { readMigrations } from '../../src/database/schema/migration-files.ts'
import { startService } from '../harness.ts'
import { createFixture } from '../world.ts'
import { migrationsFolder, releaseDataPath, releaseSecret } from './release-data.ts'

// Run this script for each release. It marks all migrations as released and saves data for the upgrade test.
const migrations = await readMigrations(migrationsFolder)
const checksums = Object.fromEntries(migrations.map(({ name, sha256 }) => [name, sha256]))

const service = await startService({ environment: { QUAYSIDE_SECRET: releaseSecret } })
const { applicationId, workspaceKey } = await createFixture(service)
const { rows: tables } = await sql<{ name: string }>`
  select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations'
  order by relname`.execute(service.deps.db)
const lines = [JSON.stringify({ migration: migrations.at(-1)?.number, applicationId, workspaceKey })]
for (const { name } of tables) {
  const { rows } = await sql<{ row: string }>`
    select to_jsonb(t)::text as row from ${sql.table(name)} as t order by 1`.execute(service.deps.db)
  lines.push(...rows.map(({ row }) => `{"table": "${name}", "row": ${row}}`))
}
await service.close()
await writeFile(releaseDataPath, `${lines.join('\n')}\n`)
await writeFile(join(migrationsFolder, 'released.json'), `${JSON.stringify(checksums, null, 2)}\n`)
