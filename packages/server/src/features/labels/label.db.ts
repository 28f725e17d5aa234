import { sql } from 'kysely'
import { isoTimestamp } from '../../database/iso-timestamp.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import { shortId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import { colorFor, namedLabels } from './label.ts'

export type LabelRow = {
  id: string
  name: string
  description: string | null
  color: string
  level: 'application' | 'workspace'
  created_at: string
  updated_at: string
}

type Owner = { applicationId: string; workspaceId: string }

const level = sql<LabelRow['level']>`case when application_id is null then 'workspace' else 'application' end`

function visibleLabels(db: Executor, { applicationId, workspaceId }: Owner) {
  return db
    .selectFrom('labels')
    .where('owner_id', 'in', [applicationId, workspaceId])
    .select(['id', 'name', 'description', 'color', level.as('level'), 'created_at', 'updated_at'])
}

/** Labels of the application and of its workspace. */
export async function listLabelsOf(db: Executor, owner: Owner): Promise<LabelRow[]> {
  return visibleLabels(db, owner)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
}

/** By id, or else by name whatever its case; the application's own one comes first. */
export async function requireLabel(db: Executor, owner: Owner, idOrName: string): Promise<LabelRow> {
  const rows = await visibleLabels(db, owner)
    .where((eb) => eb.or([eb('id', '=', idOrName), eb(sql`lower(name)`, '=', sql`lower(${idOrName}::text)`)]))
    .execute()
  const row =
    rows.find(({ id }) => id === idOrName) ?? rows.find((label) => label.level === 'application') ?? rows[0]
  if (row === undefined) throw notFound()
  return row
}

// What is one name and what two, PostgreSQL decides: it holds the unique index, and writes some letters small in
// another way than JavaScript does.
const given = (texts: string[]) =>
  sql<{ given: string }>`unnest(${texts}::text[])`.as<'wish'>(sql`wish(given)`)

/** Labels behind a filter's ids or names, each with the text that named it. */
export function selectLabelsNamed(db: Executor, { applicationId, workspaceId }: Owner, idsOrNames: string[]) {
  const owners = [applicationId, workspaceId]
  const wishes = () => db.selectFrom(given(idsOrNames))
  const byName = wishes()
    .innerJoin('labels', (join) => join.on(sql`lower(labels.name)`, '=', sql`lower(wish.given)`))
    .where('labels.owner_id', 'in', owners)
    .select(['labels.id', 'wish.given'])
  return wishes()
    .innerJoin('labels', 'labels.id', 'wish.given')
    .where('labels.owner_id', 'in', owners)
    .select(['labels.id', 'wish.given'])
    .union(byName)
}

/** Ids behind ids or names, and which of them name nothing here. */
export async function findLabelIds(db: Executor, owner: Owner, idsOrNames: string[]) {
  return namedLabels(idsOrNames, await selectLabelsNamed(db, owner, idsOrNames).execute())
}

/** The labels of these names, made at the application where neither level has them. */
export async function insertMissingLabels(tx: Tx, owner: Owner, names: string[]) {
  if (names.length === 0) return []
  let found = await findLabelsOfNames(tx, owner, names)
  const missing = found.filter(({ id }) => id === null)
  if (missing.length > 0) {
    // in one order everywhere, so that uploads that name the same new labels wait instead of deadlock
    const rows = missing
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ name }) => ({
        id: shortId(10),
        workspace_id: owner.workspaceId,
        application_id: owner.applicationId,
        name,
        color: colorFor(name),
      }))
    await tx
      .insertInto('labels')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    found = await findLabelsOfNames(tx, owner, names)
  }
  return found.flatMap(({ id }) => (id === null ? [] : { id }))
}

/** For each name, spelt as it was first, the application's own label or else the workspace's, if there is one. */
async function findLabelsOfNames(tx: Tx, { applicationId, workspaceId }: Owner, names: string[]) {
  const { rows } = await sql<{ name: string; key: string; id: string | null }>`
    with wish as (
      select distinct on (lower(name)) name, lower(name) as key, place
      from unnest(${names}::text[]) with ordinality wish(name, place) order by lower(name), place
    )
    select name, key, (
      select id from labels where owner_id in (${applicationId}, ${workspaceId}) and lower(labels.name) = key
      order by owner_id <> ${applicationId} limit 1
    ) as id
    from wish order by place`.execute(tx)
  return rows
}

/** The labels of these ids or names; a name that neither level has is made at the application. */
export async function insertNamedLabels(tx: Tx, owner: Owner, idsOrNames: string[]) {
  const byId = await tx
    .selectFrom('labels')
    .select('id')
    .where('owner_id', 'in', [owner.applicationId, owner.workspaceId])
    .where(sql<boolean>`id = any(${idsOrNames})`)
    .execute()
  const names = idsOrNames.filter((given) => !byId.some(({ id }) => id === given))
  const all = [...byId, ...(await insertMissingLabels(tx, owner, names))]
  return [...new Set(all.map(({ id }) => id))].map((id) => ({ id }))
}

/** JSON of a build's or release's labels, for a sub-select. */
export const selectLabelJson = sql<LabelRow>`json_build_object(
  'id', labels.id, 'name', labels.name, 'description', labels.description, 'color', labels.color,
  'level', case when labels.application_id is null then 'workspace' else 'application' end,
  'created_at', ${isoTimestamp(sql.ref('labels.created_at'))},
  'updated_at', ${isoTimestamp(sql.ref('labels.updated_at'))})`

/** Where a label lives: at one application, or at the workspace for all of them. */
export type LabelHome = { workspaceId: string; applicationId: string | null }

const columns = ['id', 'name', 'description', 'color', 'created_at', 'updated_at'] as const

export async function listWorkspaceLabels(db: Executor, workspaceId: string): Promise<LabelRow[]> {
  return db
    .selectFrom('labels')
    .where('owner_id', '=', workspaceId)
    .select([...columns, level.as('level')])
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
}

export async function requireWorkspaceLabel(db: Executor, workspaceId: string, idOrName: string) {
  return requireLabel(db, { workspaceId, applicationId: workspaceId }, idOrName)
}

export async function requireLockedLabel(tx: Tx, { workspaceId, applicationId }: LabelHome, id: string) {
  const row = await tx
    .selectFrom('labels')
    .select([...columns, level.as('level')])
    .where('id', '=', id)
    .where('owner_id', '=', applicationId ?? workspaceId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

export type LabelFields = { name: string; description: string | null; color: string }

export async function insertLabel(tx: Tx, home: LabelHome, fields: LabelFields): Promise<LabelRow> {
  return tx
    .insertInto('labels')
    .values({
      id: shortId(10),
      workspace_id: home.workspaceId,
      application_id: home.applicationId,
      ...fields,
    })
    .returning([...columns, level.as('level')])
    .executeTakeFirstOrThrow()
}

/** `application_id: null` lifts the label to the workspace; what carries it goes on doing so. */
export async function updateLabelRow(
  tx: Tx,
  id: string,
  changes: Partial<LabelFields> | { application_id: null },
): Promise<LabelRow> {
  return tx
    .updateTable('labels')
    .set(changes)
    .where('id', '=', id)
    .returning([...columns, level.as('level')])
    .executeTakeFirstOrThrow()
}

export async function deleteLabelRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('labels').where('id', '=', id).execute()
}
