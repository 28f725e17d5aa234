import { randomUUID } from 'node:crypto'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { version } from '../../config/version.ts'
import { createSecretBox, type SecretBox } from '../../crypto/secret-box.ts'
import type { Connection } from '../../database/connect.ts'
import { webhookSecretContext } from '../../features/webhooks/webhook-secret.db.ts'
import { problem } from '../../lib/problem.ts'
import type { Progress } from '../../lib/progress.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import { exportFiles } from './export-files.ts'
import {
  exportPaths,
  findManifest,
  findPlan,
  format,
  saveManifest,
  savePlan,
  withLockedFolder,
  type ExportedRows,
  type ExportManifest,
  type ExportPlan,
} from './export-folder.ts'
import { createPassphraseBox, deriveExportKey } from './export-key.ts'
import { exportedTables, storedObjects, type ExportedTable, type ExportScope } from './exported-tables.db.ts'
import { writeLines } from './json-lines.ts'
import { openExportReader, type ExportReader } from './read-rows.db.ts'

export type ExportOptions = {
  folder: string
  scope: ExportScope
  config: { dataDir: string; publicUrl: string }
  connection: Connection
  storage: Pick<StorageDriver, 'read'>
  /** The master secret of the server. */
  secret: string
  /** Encrypts the secrets of webhooks. Without it, they are not exported. */
  passphrase: string | undefined
  onProgress: (progress: Progress) => void
}

/**
 * Writes the rows and the stored files of a workspace or an application to a folder while the service is running. All
 * rows come from one snapshot of the database. A call with the folder of an interrupted export resumes it.
 */
export async function createExport(options: ExportOptions): Promise<ExportManifest> {
  const { folder, config } = options
  if (!relative(resolve(config.dataDir), folder).startsWith('..')) throw exportInsideData({ folder })
  return withLockedFolder(folder, () => resumeExport(options))
}

const exportInsideData = problem(
  'invalid',
  'export.inside_data',
  'The export folder {folder} is in the data folder. Choose another one.',
)

async function resumeExport(options: ExportOptions): Promise<ExportManifest> {
  const { folder, scope, secret, storage, onProgress } = options
  const complete = await findManifest(folder)
  if (complete !== undefined) {
    requireSameScope(folder, complete, scope)
    return complete
  }
  await mkdir(dirname(exportPaths(folder).rows('builds')), { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const plan = (await findPlan(folder)) ?? (await exportRows(options))
  requireSameScope(folder, plan, scope)
  const files = await exportFiles({ folder, storage, total: plan.stored_objects.rows, onProgress })
  await saveManifest(folder, deriveExportKey(secret), { ...plan, files })
  await rm(exportPaths(folder).plan)
  return (await findManifest(folder)) as ExportManifest
}

function requireSameScope(folder: string, { scope }: ExportPlan, wanted: ExportScope): void {
  if (scope.workspace_id === wanted.workspaceId && scope.application_id === wanted.applicationId) return
  throw scope.application_id === null
    ? containsWorkspace({ folder, id: scope.workspace_id })
    : containsApplication({ folder, id: scope.application_id })
}

const containsWorkspace = problem(
  'conflict',
  'export.other_scope',
  '{folder} contains the export of the workspace {id}. Choose another folder.',
)

const containsApplication = problem(
  'conflict',
  'export.other_scope',
  '{folder} contains the export of the application {id}. Choose another folder.',
)

async function exportRows(options: ExportOptions): Promise<ExportPlan> {
  const { folder, scope, config, connection, secret, passphrase } = options
  const id = randomUUID()
  const secrets = {
    box: createSecretBox(secret),
    passphraseBox: passphrase === undefined ? undefined : createPassphraseBox(passphrase, id),
  }
  const reader = await openExportReader(connection)
  try {
    await requireExported(reader, scope)
    const tables: ExportedRows[] = []
    for (const table of exportedTables) tables.push(await exportTable(reader, table, options, secrets))
    const plan: ExportPlan = {
      format,
      id,
      created_at: new Date().toISOString(),
      server_version: version,
      schema_version: await reader.findSchemaVersion(),
      source: { url: config.publicUrl, installation_id: await reader.findInstallationId() },
      scope: { workspace_id: scope.workspaceId, application_id: scope.applicationId },
      has_secrets: passphrase !== undefined,
      tables,
      stored_objects: await exportTable(reader, storedObjects, options, secrets),
    }
    await savePlan(folder, plan)
    return plan
  } finally {
    await reader.close()
  }
}

async function requireExported(reader: ExportReader, scope: ExportScope): Promise<void> {
  const table = scope.applicationId === null ? 'workspaces' : 'applications'
  const exported = exportedTables.find(({ name }) => name === table)
  if (exported !== undefined && (await reader.countRows(exported, scope)) > 0) return
  throw scope.applicationId === null
    ? workspaceNotFound({ id: scope.workspaceId })
    : applicationNotFound({ id: scope.applicationId })
}

const workspaceNotFound = problem('not_found', 'export.not_found', 'Workspace {id} does not exist.')

const applicationNotFound = problem('not_found', 'export.not_found', 'Application {id} does not exist.')

type Secrets = { box: SecretBox; passphraseBox: SecretBox | undefined }

async function exportTable(
  reader: ExportReader,
  table: ExportedTable,
  { folder, scope, onProgress }: Pick<ExportOptions, 'folder' | 'scope' | 'onProgress'>,
  secrets: Secrets,
): Promise<ExportedRows> {
  const { name } = table
  const columns = await reader.listColumns(table)
  const total = await reader.countRows(table, scope)
  const rows = reader.readRows(table, columns, scope)
  const written = await writeLines(
    exportPaths(folder).rows(name),
    name === 'webhooks' ? withSecrets(rows, secrets) : rows,
    (done) => onProgress({ step: name, unit: 'rows', done, total, isComplete: done === total }),
  )
  return { name, ...written, columns }
}

type WebhookSecrets = {
  id: string
  secret_encrypted: string | null
  previous_secret_encrypted: string | null
}

/** Encrypts the secrets of webhooks with the passphrase, or removes them if there is none. */
async function* withSecrets(
  lines: AsyncIterable<string>,
  { box, passphraseBox }: Secrets,
): AsyncGenerator<string> {
  for await (const line of lines) {
    const row = JSON.parse(line) as WebhookSecrets
    const context = webhookSecretContext(row.id)
    const reseal = (value: string | null): string | null =>
      value === null || passphraseBox === undefined
        ? null
        : toHex(passphraseBox.seal(box.open(fromHex(value), context), context))
    yield JSON.stringify({
      ...row,
      secret_encrypted: reseal(row.secret_encrypted),
      previous_secret_encrypted: reseal(row.previous_secret_encrypted),
    })
  }
}

/** Converts the text format of bytea. */
export const fromHex = (text: string): Buffer => Buffer.from(text.replace(/^\\x/, ''), 'hex')
export const toHex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`
