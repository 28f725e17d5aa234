import { exportedTables, type ExportScope } from '../export/exported-tables.db.ts'
import { FileLine, findMismatch } from '../export/manifest.ts'
import type { Row } from './import.db.ts'

const id = /^[\w-]{1,64}$/
const maxReferenceLength = 200

/** Labels and custom targets of the workspace that the exported application uses. */
const sharedTables = new Set(['labels', 'custom_targets'])

/** Tables whose rows only the export of a workspace contains. */
const workspaceTables = new Set(
  exportedTables
    .filter(({ condition }) => condition({ workspaceId: '', applicationId: '-' }) === 'false')
    .map(({ name }) => name),
)

/**
 * Returns a function that finds what is wrong with a row of a table. A row must belong to the exported workspace and,
 * in the export of an application, to that application: it must not add anything else to the workspace.
 */
export function createRowCheck(table: string, scope: ExportScope): (line: string) => string | undefined {
  return (line) => {
    const row = parseRow(line)
    if (row === undefined) return 'is not a JSON object'
    if ('id' in row && (typeof row['id'] !== 'string' || !id.test(row['id']))) return 'has an invalid `id`'
    const tooLong = Object.keys(row).find((name) => /_(id|key)$/.test(name) && isTooLong(row[name]))
    if (tooLong !== undefined) return `has an invalid \`${tooLong}\``
    const workspaceId = table === 'workspaces' ? row['id'] : row['workspace_id']
    if (workspaceId !== undefined && workspaceId !== scope.workspaceId) return 'belongs to another workspace'
    if (table === 'applications' && !isTime(row['deleted_at'])) return 'has an invalid `deleted_at`'
    return scope.applicationId === null ? undefined : findForeign(table, row, scope.applicationId)
  }
}

function findForeign(table: string, row: Row, applicationId: string): string | undefined {
  const own = table === 'applications' ? row['id'] : row['application_id']
  const isShared = own === null && sharedTables.has(table)
  if (workspaceTables.has(table) || (own !== undefined && own !== applicationId && !isShared))
    return 'does not belong to the exported application'
  if (table === 'workspace_members' && row['role'] !== 'member') return 'gives a role in the workspace'
  return undefined
}

const isTooLong = (value: unknown): boolean => typeof value === 'string' && value.length > maxReferenceLength

const isTime = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && !Number.isNaN(Date.parse(value)))

function parseRow(line: string): Row | undefined {
  try {
    const value = JSON.parse(line) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : undefined
  } catch {
    return undefined
  }
}

/** Finds what is wrong with a line of files.jsonl, such as a checksum that is a path. */
export function checkFileLine(line: string): string | undefined {
  const row = parseRow(line)
  const mismatch = row === undefined ? 'is not a JSON object' : findMismatch(FileLine, row)
  return mismatch?.startsWith('`') === true ? `is invalid: ${mismatch}` : mismatch
}
