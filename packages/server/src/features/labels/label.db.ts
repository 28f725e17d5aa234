import { sql } from 'kysely'
import type { ApplicationRef } from '../../access/application.db.ts'
import { requireOwnerOfPath, type OwnerRef } from '../../access/owner.ts'
import { nameOrder, selectInputs } from '../../database/expressions.ts'
import { jsonObject } from '../../database/json-text.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { resolveNames, type NameList } from '../../http/endpoint/fields.ts'
import { shortId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import { colorFor, Label, nameIsId, type LabelRow, type LoadedLabel } from './label.ts'

const level = sql<LabelRow['level']>`case when application_id is null then 'workspace' else 'application' end`

const columns = ['id', 'name', 'description', 'color', level.as('level'), 'created_at', 'updated_at'] as const

/** Selects the labels of the workspace and, if an application is given, those of the application. */
function selectVisibleLabels(db: Executor, { applicationId, workspaceId }: OwnerRef) {
  return db
    .selectFrom('labels')
    .where('owner_id', 'in', [applicationId ?? workspaceId, workspaceId])
    .select(columns)
}

export async function listVisibleLabels(db: Executor, owner: OwnerRef): Promise<LabelRow[]> {
  return selectVisibleLabels(db, owner).orderBy(nameOrder('name')).orderBy('id').execute()
}

/**
 * Returns the label with this ID or, failing that, with this name (ignoring case). An application label takes
 * precedence over a workspace label with the same name.
 */
export async function findLabel(
  db: Executor,
  owner: OwnerRef,
  idOrName: string,
): Promise<LabelRow | undefined> {
  const rows = await selectVisibleLabels(db, owner)
    .where((eb) => eb.or([eb('id', '=', idOrName), eb(sql`lower(name)`, '=', sql`lower(${idOrName}::text)`)]))
    .execute()
  return (
    rows.find(({ id }) => id === idOrName) ?? rows.find((label) => label.level === 'application') ?? rows[0]
  )
}

/** Loads the label that the path identifies, at application or workspace level; throws 404 if it does not exist. */
export async function requireLabelOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id?: string; label_identifier: string }
}): Promise<LoadedLabel> {
  const { owner } = await requireOwnerOfPath(call)
  const label = await findLabel(call.db, owner, call.params.label_identifier)
  if (label === undefined) throw notFound()
  return { owner, label }
}

/** Selects the labels with these IDs or names, each with the requested ID or name that it matches. */
export function selectLabelsNamed(
  db: Executor,
  { applicationId, workspaceId }: ApplicationRef,
  idsOrNames: string[],
) {
  const owners = [applicationId, workspaceId]
  const byName = selectInputs(db, idsOrNames)
    .innerJoin('labels', (join) => join.on(sql`lower(labels.name)`, '=', sql`lower(input.requested)`))
    .where('labels.owner_id', 'in', owners)
    .select(['labels.id', 'input.requested'])
  return selectInputs(db, idsOrNames)
    .innerJoin('labels', 'labels.id', 'input.requested')
    .where('labels.owner_id', 'in', owners)
    .select(['labels.id', 'input.requested'])
    .union(byName)
}

/** Resolves IDs or names to label IDs, and lists the IDs or names that match no label. */
export async function findLabelIds(db: Executor, application: ApplicationRef, names: NameList) {
  return resolveNames(names, await selectLabelsNamed(db, application, names.candidates).execute())
}

/** Selects the strings in `texts` that are label IDs in the application or its workspace. */
export const selectLabelIds = (
  db: Executor,
  { applicationId, workspaceId }: ApplicationRef,
  texts: string[],
) =>
  db
    .selectFrom('labels')
    .select('labels.id')
    .where('labels.owner_id', 'in', [applicationId, workspaceId])
    .where(sql<boolean>`labels.id = any(${texts}::text[])`)

/** Returns the strings in `texts` that are label IDs in the application or its workspace. */
async function listLabelIds(db: Executor, application: ApplicationRef, texts: string[]): Promise<string[]> {
  if (texts.length === 0) return []
  const rows = await selectLabelIds(db, application, texts).execute()
  return rows.map(({ id }) => id)
}

/** Returns the labels with these names. Creates labels in the application for unknown names. */
async function insertMissingLabels(tx: Tx, application: ApplicationRef, names: string[]) {
  if (names.length === 0) return []
  let found = await findLabelsByName(tx, application, names)
  const missing = found.filter(({ id }) => id === null)
  if (missing.length > 0) {
    // Inserts the labels in a fixed order, so that concurrent uploads with the same new labels do not deadlock.
    const rows = missing
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ name }) => ({
        id: shortId(10),
        workspace_id: application.workspaceId,
        application_id: application.applicationId,
        name,
        color: colorFor(name),
      }))
    await tx
      .insertInto('labels')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    found = await findLabelsByName(tx, application, names)
  }
  return found.flatMap(({ id }) => (id === null ? [] : { id }))
}

/**
 * Returns each distinct name (ignoring case) with the ID of its label, or null if there is none. Application labels
 * take precedence.
 */
async function findLabelsByName(tx: Tx, { applicationId, workspaceId }: ApplicationRef, names: string[]) {
  const { rows } = await sql<{ name: string; key: string; id: string | null }>`
    with input as (
      select distinct on (lower(name)) name, lower(name) as key, position
      from unnest(${names}::text[]) with ordinality input(name, position) order by lower(name), position
    )
    select name, key, (
      select id from labels where owner_id in (${applicationId}, ${workspaceId}) and lower(labels.name) = key
      order by owner_id <> ${applicationId} limit 1
    ) as id
    from input order by position`.execute(tx)
  return rows
}

/** Returns the labels with these IDs or names. Creates labels in the application for unknown names. */
export async function insertNamedLabels(tx: Tx, application: ApplicationRef, idsOrNames: string[]) {
  const ids = await listLabelIds(tx, application, idsOrNames)
  const names = idsOrNames.filter((idOrName) => !ids.includes(idOrName))
  return insertLabels(tx, application, { ids, names })
}

/** Returns the labels with these names, creating missing ones, and the labels with these IDs that still exist. */
export async function insertLabels(
  tx: Tx,
  application: ApplicationRef,
  { ids, names }: { ids: string[]; names: string[] },
) {
  const existing = await listLabelIds(tx, application, ids)
  const named = await insertMissingLabels(tx, application, names)
  return [...new Set([...existing, ...named.map(({ id }) => id)])].map((id) => ({ id }))
}

/** The JSON of a label, for use in subqueries. */
export const selectLabelJson = jsonObject(Label, 'labels', {
  level: sql<string>`case when labels.application_id is null then 'workspace' else 'application' end`,
})

/**
 * Locks the label until the end of the transaction and returns it; throws 404 if it has been deleted or promoted since
 * it was loaded.
 */
export async function requireLockedLabel(tx: Tx, { workspaceId, applicationId }: OwnerRef, id: string) {
  return tx
    .selectFrom('labels')
    .select(columns)
    .where('id', '=', id)
    .where('owner_id', '=', applicationId ?? workspaceId)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
}

type LabelFields = { name: string; description: string | null; color: string }

/**
 * Throws 409 if the name is the ID of a label, because a path or filter with this name would select that label instead.
 */
export async function requireNameIsNoId(tx: Tx, { workspaceId }: OwnerRef, name: string): Promise<void> {
  const row = await tx
    .selectFrom('labels')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`lower(${name}::text)`)
    .executeTakeFirst()
  if (row !== undefined) throw nameIsId({ name })
}

export async function insertLabel(tx: Tx, owner: OwnerRef, fields: LabelFields): Promise<LabelRow> {
  return tx
    .insertInto('labels')
    .values({
      id: shortId(10),
      workspace_id: owner.workspaceId,
      application_id: owner.applicationId,
      ...fields,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/**
 * Saves the changes. Setting `application_id` to null promotes the label to the workspace; builds and releases keep the
 * label.
 */
export async function saveLabel(
  tx: Tx,
  id: string,
  changes: Partial<LabelFields> | { application_id: null },
): Promise<LabelRow> {
  return tx
    .updateTable('labels')
    .set(changes)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function removeLabel(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('labels').where('id', '=', id).execute()
}
