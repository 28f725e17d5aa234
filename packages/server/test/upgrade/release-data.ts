import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseClient } from '../../src/database/client.ts'

export const migrationsFolder = join(import.meta.dirname, '../../migrations')
/** The master secret of the service whose data is saved for the upgrade test. */
export const releaseSecret = 'the-master-secret-of-the-release-data'
export const releaseDataPath = join(import.meta.dirname, 'release-data.jsonl')

type Header = { migration: number; applicationId: string; workspaceKey: string }

export type ReleaseData = Header & { rows: { table: string; row: object }[] }

export async function readReleaseData(): Promise<ReleaseData> {
  const [header = '', ...rows] = (await readFile(releaseDataPath, 'utf8')).trimEnd().split('\n')
  return {
    ...(JSON.parse(header) as Header),
    rows: rows.map((line) => JSON.parse(line) as ReleaseData['rows'][number]),
  }
}

/** Loads the rows into a database to which exactly the migrations up to `migration` have been applied. */
export async function loadReleaseData(client: DatabaseClient, { rows }: ReleaseData): Promise<void> {
  await client.query('begin')
  // This setting disables triggers and foreign keys, so that the tables can be filled in any order.
  await client.query('set local session_replication_role = replica')
  for (const [table, entries] of Map.groupBy(rows, (entry) => entry.table)) {
    const { rows: columns } = await client.query<{ name: string; is_identity: boolean }>(
      `select quote_ident(attname) as name, attidentity <> '' as is_identity from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    )
    const names = columns.map(({ name }) => name).join(', ')
    await client.query(
      `insert into ${table} (${names}) overriding system value
        select ${names} from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(entries.map(({ row }) => row))],
    )
    for (const { name } of columns.filter(({ is_identity }) => is_identity))
      await client.query(
        `select setval(pg_get_serial_sequence($1, $2), greatest(max(${name}), 1)) from ${table}`,
        [table, name],
      )
  }
  await client.query('commit')
}
