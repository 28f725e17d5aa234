import pg from 'pg'
import { superuser } from './access-files.ts'
import { EmbeddedPostgresError } from './error.ts'

export type Connection = { host: string; port: number; user: string; database: string; ssl: false }

const maintenanceDatabase = 'postgres'
/** The OID of the role that initdb creates. It does not change when the role is renamed. */
const superuserId = 10

/**
 * Creates the database and the service's role, which owns it and is not a superuser. Migrates a cluster from an earlier
 * version, in which the service's role was the superuser, to the same roles. An interrupted call can be repeated.
 */
export async function prepareRoles(connection: Connection, setup: readonly string[]): Promise<void> {
  const { database, user } = connection
  const role = pg.escapeIdentifier(user)
  if (!(await superuserCanConnect(connection))) await splitServiceFromSuperuser(connection)
  let ownerId: number | undefined
  await asSuperuser({ ...connection, database: maintenanceDatabase }, async (client) => {
    await client.query(`drop role if exists ${superuser.upgrade}`)
    const roles = await client.query('select 1 from pg_roles where rolname = $1', [user])
    if (roles.rowCount === 0) await client.query(`create role ${role}`)
    await client.query(
      `alter role ${role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls`,
    )
    for (const statement of setup) await client.query(statement)
    const found = 'select datdba as owner from pg_database where datname = $1'
    ownerId = (await client.query<{ owner: number }>(found, [database])).rows[0]?.owner
    if (ownerId === undefined)
      await client.query(`create database ${pg.escapeIdentifier(database)} owner ${role}`)
  })
  if (ownerId === superuserId) await asSuperuser(connection, (client) => transferObjects(client, connection))
}

/** Returns whether the superuser can connect. Returns false if its role does not exist yet. */
export async function superuserCanConnect(connection: Connection): Promise<boolean> {
  const client = new pg.Client({ ...connection, user: superuser.name, database: maintenanceDatabase })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '28000') return false
    throw noConnection(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Renames the service's role to `postgres`, because the role that initdb creates must remain a superuser. */
async function splitServiceFromSuperuser(connection: Connection): Promise<void> {
  const role = pg.escapeIdentifier(connection.user)
  const maintenance = { ...connection, database: maintenanceDatabase }
  await withClient(maintenance, async (client) => {
    await client.query(`drop role if exists ${superuser.upgrade}`)
    await client.query(`create role ${superuser.upgrade} superuser login`)
  })
  // A role cannot rename itself.
  await withClient({ ...maintenance, user: superuser.upgrade }, async (client) => {
    await client.query(`alter role ${role} rename to ${superuser.name}`)
  })
}

/** Makes the service's role the owner of the database and of the objects that the superuser created in it. */
async function transferObjects(client: pg.Client, { database, user }: Connection): Promise<void> {
  const role = pg.escapeIdentifier(user)
  await client.query('begin')
  const { rows } = await client.query<{ type: string; identity: string }>(ownedObjects)
  for (const { type, identity } of rows) await client.query(`alter ${type} ${identity} owner to ${role}`)
  await client.query(`alter database ${pg.escapeIdentifier(database)} owner to ${role}`)
  await client.query('commit')
}

// Excludes built-in objects (OIDs below 16384) and extension objects, which the superuser continues to own. Indexes,
// row types and column sequences change owner with their table.
const ownedObjects = `
  with owned (classid, objid) as (
    select 'pg_namespace'::regclass, oid from pg_namespace where nspowner = ${superuserId} and nspname !~ '^pg_'
    union all
    select 'pg_class'::regclass, c.oid from pg_class c
      where relowner = ${superuserId} and relkind in ('r', 'p', 'v', 'm', 'f', 'S') and not (relkind = 'S' and exists (
        select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')))
    union all
    select 'pg_type'::regclass, t.oid from pg_type t left join pg_class c on c.oid = t.typrelid
      where typowner = ${superuserId} and (typtype in ('d', 'e', 'r') or c.relkind = 'c')
    union all
    select 'pg_proc'::regclass, oid from pg_proc where proowner = ${superuserId}
    union all
    select 'pg_statistic_ext'::regclass, oid from pg_statistic_ext where stxowner = ${superuserId}
  )
  select case type when 'statistics object' then 'statistics' else type end as type, identity
  from owned, pg_identify_object(classid, objid, 0)
  where objid >= 16384 and not exists (
    select 1 from pg_depend d where d.classid = owned.classid and d.objid = owned.objid and d.deptype = 'e')`

/** Runs `work` as the superuser, with a search path that excludes objects that the service created. */
const asSuperuser = (connection: Connection, work: (client: pg.Client) => Promise<void>): Promise<void> =>
  withClient({ ...connection, user: superuser.name, options: '-c search_path=pg_catalog' }, work)

async function withClient(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  try {
    await client.connect()
    await work(client)
  } catch (error) {
    throw noConnection(error)
  } finally {
    await client.end().catch(() => {})
  }
}

function noConnection(error: unknown): EmbeddedPostgresError {
  const reason = error instanceof Error ? error.message : String(error)
  const text = `PostgreSQL is running, but its roles and database cannot be prepared: ${reason}`
  return new EmbeddedPostgresError('no_connection', text, { cause: error })
}
