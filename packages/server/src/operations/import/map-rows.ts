import { webhookSecretContext } from '../../features/webhooks/webhook-secret.db.ts'
import { shortIdPattern, uuidPattern } from '../../lib/ids.ts'
import { fromHex, toHex } from '../export/create-export.ts'
import type { Column } from '../export/read-rows.db.ts'
import type { Replacements } from './existing-rows.db.ts'
import type { ImportContext } from './import-context.ts'
import { findExistingIds, findImportedObjects, type Row } from './import.db.ts'

/**
 * Columns that contain IDs without a foreign key. An ID is mapped if its resource is part of the import; the IDs of
 * resources that were deleted before the export stay.
 */
const looseColumns: Readonly<Record<string, readonly string[]>> = {
  api_keys: ['created_by', 'trusted_publisher_ids'],
  invitations: ['invited_by', 'application_roles', 'team_ids'],
  trusted_publishers: ['created_by'],
  share_links: ['created_by'],
  audit_entries: ['application_id', 'subject_id', 'actor_id', 'before', 'after'],
  daily_statistics: ['application_id', 'stream_id'],
  downloads: ['metadata_artifact_id'],
  feedback: ['closed_by'],
  feedback_screenshots: ['application_id'],
}

/** Columns with IDs of rows that may no longer exist. Nothing else refers to these rows. */
const alwaysMapped: Readonly<Record<string, readonly string[]>> = {
  webhook_requests: ['event_id', 'redelivery_of'],
}

const idPattern = new RegExp(`${shortIdPattern}|${uuidPattern}`)

/** Returns the rows with the IDs of this server. Leaves out rows that existing rows replace. */
export async function mapRows(
  context: ImportContext,
  table: string,
  columns: readonly Column[],
  rows: readonly Row[],
  replacements: Replacements,
): Promise<Row[]> {
  const { db, state, mapId, secrets } = context
  const objectColumns = columns.filter(({ references }) => references === 'stored_objects.key')
  const keys = rows.flatMap((row) => objectColumns.map(({ name }) => row[name])).filter(isString)
  const objects = await findImportedObjects(db, state.id, keys)
  const replaced = replacements.get(table)
  const mapped: Row[] = []
  const kept = rows.filter((row) => !(isString(row['id']) && replaced?.has(row['id']) === true))
  for (const row of kept) {
    const result: Row = { ...row }
    let isComplete = true
    for (const { name, references, nullable } of columns) {
      const value = row[name]
      if (!isString(value)) continue
      if (references === 'stored_objects.key') result[name] = objects.get(value) ?? null
      else if (references !== null) result[name] = mapReference(context, replacements, references, value)
      else if (name === 'id') result[name] = mapId(value)
      if (result[name] === null && !nullable) isComplete = false
    }
    for (const name of alwaysMapped[table] ?? []) if (isString(row[name])) result[name] = mapId(row[name])
    if (table === 'webhooks') resealSecrets(secrets, row, result)
    if (isComplete) mapped.push(result)
  }
  await mapLooseIds(context, table, mapped, replacements)
  return mapped
}

const isString = (value: unknown): value is string => typeof value === 'string'

function mapReference(
  { state, manifest, mapId }: ImportContext,
  replacements: Replacements,
  references: string,
  id: string,
): string | null {
  const [table = ''] = references.split('.')
  if (table === 'workspaces' && id === manifest.scope.workspace_id) return state.workspaceId
  const replacement = replacements.get(table)?.get(id)
  return replacement === undefined ? mapId(id) : replacement
}

/** Encrypts the secrets of a webhook with the master secret of this server. */
function resealSecrets({ box, passphraseBox }: ImportContext['secrets'], from: Row, to: Row): void {
  for (const name of ['secret_encrypted', 'previous_secret_encrypted']) {
    const value = from[name]
    if (!isString(value)) continue
    const secret = passphraseBox?.open(fromHex(value), webhookSecretContext(from['id'] as string))
    to[name] = secret === undefined ? null : toHex(box.seal(secret, webhookSecretContext(to['id'] as string)))
  }
}

async function mapLooseIds(
  { db, mapId, state, manifest }: ImportContext,
  table: string,
  rows: readonly Row[],
  replacements: Replacements,
): Promise<void> {
  const names = looseColumns[table]
  if (names === undefined) return
  const found = new Set<string>()
  for (const row of rows) for (const name of names) collectIds(row[name], found)
  const existing = await findExistingIds(db, [...found].map(mapId))
  const ownIds = new Set(rows.map((row) => row['id']))
  const mapText = (text: string): string => {
    if (text === manifest.scope.workspace_id) return state.workspaceId
    if (!idPattern.test(text)) return text
    for (const ids of replacements.values()) {
      const replacement = ids.get(text)
      if (isString(replacement)) return replacement
    }
    const id = mapId(text)
    return existing.has(id) || ownIds.has(id) ? id : text
  }
  for (const row of rows) for (const name of names) row[name] = mapTexts(row[name], mapText)
}

function collectIds(value: unknown, found: Set<string>): void {
  if (isString(value)) {
    if (idPattern.test(value)) found.add(value)
  } else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) collectIds(each, found)
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (isString(value)) return map(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, map)]))
}
