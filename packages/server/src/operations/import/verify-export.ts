import { problem } from '../../lib/problem.ts'
import { exportPaths, type ExportManifest } from '../export/export-folder.ts'
import { exportedTables } from '../export/exported-tables.db.ts'
import { checkFileLine, createRowCheck } from './check-row.ts'
import { verifyFile, type VerifiedFile } from './verified-file.ts'

/** The files of an export except for the stored ones, which are compared when they are copied. */
export type VerifiedExport = {
  index: VerifiedFile
  /** Yields the rows of a table after the first `skip` ones. A table that the other server did not have has no rows. */
  rows(table: string, skip?: number): AsyncGenerator<string>
}

const requiredTables = ['workspaces', 'applications', 'streams', 'builds', 'files']

/** Verifies the checksum and every row of each file, before anything is imported. */
export async function verifyExport(folder: string, manifest: ExportManifest): Promise<VerifiedExport> {
  const paths = exportPaths(folder)
  requireKnownTables(paths.manifest, manifest)
  const scope = {
    workspaceId: manifest.scope.workspace_id,
    applicationId: manifest.scope.application_id,
  }
  const files = new Map<string, VerifiedFile>()
  for (const table of manifest.tables)
    files.set(table.name, await verifyFile(paths.rows(table.name), table, createRowCheck(table.name, scope)))
  const { count: rows, sha256 } = manifest.files
  const index = await verifyFile(paths.index, { rows, sha256 }, checkFileLine)
  return {
    index,
    async *rows(table, skip = 0) {
      yield* files.get(table)?.lines(skip) ?? []
    },
  }
}

/** The names become paths, so only those of tables are accepted. */
function requireKnownTables(path: string, { tables, scope }: ExportManifest): void {
  const known = new Set(exportedTables.map(({ name }) => name))
  const names = new Set<string>()
  for (const { name } of tables) {
    if (!known.has(name)) throw unknownTable({ path, table: name })
    if (names.has(name)) throw tableListedTwice({ path, table: name })
    names.add(name)
  }
  const missing = requiredTables.find((name) => !names.has(name))
  if (missing !== undefined) throw tableMissing({ path, table: missing })
  const expected = { workspaces: 1, ...(scope.application_id === null ? {} : { applications: 1 }) }
  for (const [name, rows] of Object.entries(expected))
    if (tables.find((table) => table.name === name)?.rows !== rows) throw severalRows({ path, table: name })
}

const unknownTable = problem(
  'conflict',
  'export.invalid_manifest',
  '{path} is not the manifest of an export: this version has no table `{table}`. Export again on the other server.',
)

const tableListedTwice = problem(
  'conflict',
  'export.invalid_manifest',
  '{path} is not the manifest of an export: it lists the table `{table}` more than once. Export again on the other server.',
)

const tableMissing = problem(
  'conflict',
  'export.invalid_manifest',
  '{path} is not the manifest of an export: it lists no table `{table}`. Export again on the other server.',
)

const severalRows = problem(
  'conflict',
  'export.invalid_manifest',
  '{path} is not the manifest of an export: the table `{table}` must have one row. Export again on the other server.',
)
