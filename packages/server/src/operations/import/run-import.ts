import { randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecretBox } from '../../crypto/secret-box.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { showImportedApplications } from '../../features/applications/application.db.ts'
import { countImportedIcons } from '../../features/builds/totals/storage-usage.db.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { problem } from '../../lib/problem.ts'
import { withLockedFolder, type ExportManifest } from '../export/export-folder.ts'
import { createPassphraseBox, fingerprintOf } from '../export/export-key.ts'
import { exportedTables } from '../export/exported-tables.db.ts'
import { writeLines } from '../export/json-lines.ts'
import { readSignedManifest } from '../export/manifest.ts'
import type { Replacements } from './existing-rows.db.ts'
import { createIdMap } from './id-map.ts'
import type { ImportContext } from './import-context.ts'
import { filesStep, importFiles } from './import-files.ts'
import { importTable, listReplacements } from './import-rows.ts'
import { ensureImport, findSchemaVersion, finishImport, removeFinishedImport } from './import.db.ts'
import { verifyExport } from './verify-export.ts'

export type ImportOptions = Pick<ImportContext, 'db' | 'storage' | 'folder' | 'publicUrl' | 'onProgress'> & {
  workspaceId: string
  secretBox: SecretBox
  passphrase: string | undefined
  /** Whether to import an export with webhook secrets without its passphrase. */
  skipsSecrets: boolean
  /** Whether to import an export again whose import is complete. */
  isRepeated: boolean
  /** The fingerprint of the only accepted signing key. */
  trustedKey: string | undefined
}

export type ImportResult = { manifest: ExportManifest; wasFinished: boolean; idMapPath: string }

/**
 * Imports an export into a workspace while the service is running. Verifies the signature and the checksums before it
 * changes anything. A call with the folder of an interrupted import resumes it, and a call after it does nothing.
 */
export async function runImport(options: ImportOptions): Promise<ImportResult> {
  const manifest = await readSignedManifest(options.folder)
  return withLockedFolder(options.folder, () => resumeImport(options, manifest))
}

async function resumeImport(options: ImportOptions, manifest: ExportManifest): Promise<ImportResult> {
  const { db, folder, workspaceId, passphrase } = options
  await requireImportable(options, manifest)
  const passphraseBox =
    passphrase === undefined || !manifest.has_secrets
      ? undefined
      : createPassphraseBox(passphrase, manifest.id)
  const exported = await verifyExport(folder, manifest)
  if (options.isRepeated) await removeFinishedImport(db, workspaceId, manifest.id)
  const state = await ensureImport(db, {
    id: uuidV7(),
    workspaceId,
    exportId: manifest.id,
    idKey: randomBytes(32),
    isWorkspaceExport: manifest.scope.application_id === null,
  })
  const context: ImportContext = {
    ...options,
    manifest,
    exported,
    state,
    mapId: createIdMap(state.idKey),
    secrets: { box: options.secretBox, passphraseBox },
  }
  const idMapPath = join(folder, `id-map-${workspaceId}.jsonl`)
  if (state.finishedAt !== null) return { manifest, wasFinished: true, idMapPath }
  const steps = [filesStep, ...exportedTables.map(({ name }) => name)]
  const current = Math.max(0, steps.indexOf(state.step ?? filesStep))
  if (current === 0) await importFiles(context)
  const replacements = await listReplacements(context)
  for (const [index, step] of steps.entries())
    if (index > 0 && index >= current)
      await importTable(context, step, index === current ? state.position : 0, replacements)
  await writeIdMap(context, replacements, idMapPath)
  await finish(context)
  return { manifest, wasFinished: false, idMapPath }
}

async function requireImportable(
  { db, passphrase, skipsSecrets, trustedKey }: ImportOptions,
  manifest: ExportManifest,
): Promise<void> {
  const fingerprint = fingerprintOf(manifest.public_key)
  if (trustedKey !== undefined && trustedKey !== fingerprint) throw otherKey({ fingerprint, trustedKey })
  if (manifest.schema_version > (await findSchemaVersion(db)))
    throw newerVersion({ version: manifest.server_version })
  if (manifest.has_secrets && passphrase === undefined && !skipsSecrets) throw passphraseMissing()
}

const otherKey = problem(
  'conflict',
  'export.untrusted',
  'The export was signed with the key {fingerprint}, not with {trustedKey}.',
)

const newerVersion = problem(
  'conflict',
  'export.newer_version',
  'The export was made with version {version}, which is newer than this server. Update the server first.',
)

const passphraseMissing = problem(
  'invalid',
  'export.passphrase_missing',
  'The export contains the secrets of webhooks. Pass its passphrase with --passphrase-file, or import it with --without-secrets.',
)

/** Lists the new ID of every resource. `to` is null if the resource was not imported because it already exists. */
async function writeIdMap(
  { exported, manifest, mapId, state }: ImportContext,
  replacements: Replacements,
  path: string,
): Promise<void> {
  async function* lines(): AsyncGenerator<string> {
    const from = manifest.scope.workspace_id
    yield JSON.stringify({ type: 'workspaces', from, to: state.workspaceId })
    for (const { name } of manifest.tables.filter((table) => table.name !== 'workspaces'))
      for await (const line of exported.rows(name)) {
        const { id } = JSON.parse(line) as { id?: string }
        if (typeof id !== 'string') break
        const replacement = replacements.get(name)?.get(id)
        yield JSON.stringify({
          type: name,
          from: id,
          to: replacement === undefined ? mapId(id) : replacement,
        })
      }
  }
  const temporary = `${path}.tmp`
  await writeLines(temporary, lines(), () => {})
  await rename(temporary, path)
}

/** Shows the imported applications. */
async function finish(context: ImportContext): Promise<void> {
  const { db, exported, manifest, mapId, state } = context
  const applications: { id: string; deleted_at: string | null }[] = []
  for await (const line of exported.rows('applications')) {
    const { id, deleted_at } = JSON.parse(line) as { id: string; deleted_at: string | null }
    applications.push({ id: mapId(id), deleted_at })
  }
  await inTransaction(db, async (tx) => {
    const { workspaceId } = state
    const { application_id } = manifest.scope
    await countImportedIcons(
      tx,
      applications.map(({ id }) => id),
    )
    await showImportedApplications(tx, applications)
    const after = { export_id: manifest.id, source: manifest.source.url }
    await recordEvent(
      tx,
      { actor: { via: 'system', id: null, name: 'Import', workspaceId }, address: null },
      application_id === null
        ? {
            action: 'workspace.imported',
            applicationId: null,
            subject: { type: 'workspace', id: workspaceId },
            after,
          }
        : {
            action: 'application.imported',
            applicationId: mapId(application_id),
            subject: { type: 'application', id: mapId(application_id) },
            after,
          },
    )
    await finishImport(tx, state.id)
  })
}
