import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Row } from './import.db.ts'

/**
 * The rows of the export that are not inserted: by table and previous ID, the ID of the row that takes their place, or
 * null if no row does.
 */
export type Replacements = Map<string, Map<string, string | null>>

/** `existing` is the ID of the existing row if no row takes the place of the exported one. */
type Found = { index: number; id: string | null; existing?: string }
type Find = (db: Executor, workspaceId: string, rows: readonly Row[]) => Promise<Found[]>

const textOf = (rows: readonly Row[], name: string): (string | null)[] =>
  rows.map((row) => row[name] as string | null)

/**
 * Finds existing rows that have the same unique name as an exported one: the same person, label, custom target, default
 * stream or device. A key or an open invitation that already exists is not imported.
 */
export const findReplacements: Readonly<Record<string, Find>> = {
  async users(db, _, rows) {
    const { rows: found } = await sql<Found>`
      select (wanted.number - 1)::int as index, users.id
      from unnest(${textOf(rows, 'email')}::text[]) with ordinality as wanted (email, number)
        join users on lower(users.email) = lower(wanted.email)`.execute(db)
    return found
  },
  labels: findByName('labels'),
  async custom_targets(db, workspaceId, rows) {
    const { rows: found } = await sql<Found>`
      select (wanted.number - 1)::int as index, custom_targets.id
      from unnest(${textOf(rows, 'name')}::text[], ${textOf(rows, 'platform')}::text[],
          ${textOf(rows, 'application_id')}::text[]) with ordinality as wanted (name, platform, application_id, number)
        join custom_targets on owner_id = ${workspaceId} and lower(custom_targets.name) = lower(wanted.name)
          and custom_targets.platform = wanted.platform
      where wanted.application_id is null`.execute(db)
    return found
  },
  async default_streams(db, workspaceId, rows) {
    const { rows: found } = await sql<Found>`
      select (wanted.number - 1)::int as index, default_streams.id
      from unnest(${textOf(rows, 'name')}::text[]) with ordinality as wanted (name, number)
        join default_streams on workspace_id = ${workspaceId}
          and lower(default_streams.name) = lower(wanted.name)`.execute(db)
    return found
  },
  async devices(db, workspaceId, rows) {
    const { rows: found } = await sql<Found>`
      select (wanted.number - 1)::int as index, devices.id
      from unnest(${textOf(rows, 'udid')}::text[]) with ordinality as wanted (udid, number)
        join devices on workspace_id = ${workspaceId} and devices.udid = wanted.udid`.execute(db)
    return found
  },
  async api_keys(db, _, rows) {
    const { rows: found } = await sql<Found>`
      select (wanted.number - 1)::int as index, null as id, api_keys.id as existing
      from unnest(${textOf(rows, 'key_sha256')}::text[]::bytea[]) with ordinality as wanted (digest, number)
        join api_keys on key_sha256 = wanted.digest`.execute(db)
    return found
  },
  async invitations(db, workspaceId, rows) {
    const { rows: found } = await sql<Found>`
      select (wanted.number - 1)::int as index, null as id, invitations.id::text as existing
      from unnest(${textOf(rows, 'token_sha256')}::text[]::bytea[], ${textOf(rows, 'email')}::text[],
          ${textOf(rows, 'application_id')}::text[]) with ordinality as wanted (digest, email, application_id, number)
        join invitations on invitations.token_sha256 = wanted.digest
          or (workspace_id = ${workspaceId} and invitations.application_id is null and wanted.application_id is null
            and lower(invitations.email) = lower(wanted.email) and accepted_at is null and revoked_at is null)`.execute(
      db,
    )
    return found
  },
}

function findByName(table: 'labels'): Find {
  return async (db, workspaceId, rows) => {
    const { rows: found } = await sql<Found>`
      select (wanted.number - 1)::int as index, named.id
      from unnest(${textOf(rows, 'name')}::text[], ${textOf(rows, 'application_id')}::text[])
          with ordinality as wanted (name, application_id, number)
        join ${sql.table(table)} as named on owner_id = ${workspaceId} and lower(named.name) = lower(wanted.name)
      where wanted.application_id is null`.execute(db)
    return found
  }
}

/**
 * Changes the values of rows that other rows of the server already have: names of distribution groups, teams and custom targets get a number, and
 * subdomains and domains of portals are removed.
 */
export const avoidConflicts: Readonly<Record<string, (tx: Tx, rows: Row[]) => Promise<void>>> = {
  async distribution_groups(tx, rows) {
    for (const row of rows) row['name'] = await findFreeName(tx, 'distribution_groups', row)
  },
  // Merging teams would give people of this server access to what is imported.
  async teams(tx, rows) {
    for (const row of rows) row['name'] = await findFreeName(tx, 'teams', row)
  },
  // A custom target of the workspace with the same name may be for another platform.
  async custom_targets(tx, rows) {
    for (const row of rows)
      if (row['application_id'] === null) row['name'] = await findFreeName(tx, 'custom_targets', row)
  },
  async portals(tx, rows) {
    for (const row of rows) {
      const { rows: found } = await sql<{
        has_subdomain: boolean
        has_domain: boolean
        is_verified: boolean
      }>`
        select coalesce(bool_or(workspace_id = ${row['workspace_id']}
            and subdomain = ${row['subdomain']}), false) as has_subdomain,
          coalesce(bool_or(workspace_id = ${row['workspace_id']}
            and lower(custom_domain) = lower(${row['custom_domain']})), false) as has_domain,
          coalesce(bool_or(lower(custom_domain) = lower(${row['custom_domain']})
            and custom_domain_verified_at is not null), false) as is_verified
        from portals`.execute(tx)
      const [taken] = found
      if (taken?.has_subdomain === true) row['subdomain'] = null
      if (taken?.has_domain === true) row['custom_domain'] = null
      if (taken?.has_domain === true || taken?.is_verified === true) row['custom_domain_verified_at'] = null
    }
  },
}

async function findFreeName(
  tx: Tx,
  table: 'distribution_groups' | 'teams' | 'custom_targets',
  row: Row,
): Promise<string> {
  const name = row['name'] as string
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name} (${number})`
    const { rows } = await sql<{ is_taken: boolean }>`
      select exists (
        select from ${sql.table(table)} as named
        where workspace_id = ${row['workspace_id']} and lower(name) = lower(${candidate})
          and (to_jsonb(named) ->> 'application_id') is null
      ) as is_taken`.execute(tx)
    if (rows[0]?.is_taken !== true) return candidate
  }
}
