import { lstat, readFile } from 'node:fs/promises'
import { Type, type Static, type TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { uuidPattern } from '../../lib/ids.ts'
import { isErrno, problem } from '../../lib/problem.ts'
import { exportPaths, format, type ExportManifest } from './export-folder.ts'
import { isSignedBy } from './export-key.ts'

const maxManifestBytes = 16 * 1024 * 1024

const Count = Type.Integer({ minimum: 0 })
const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })
const Uuid = Type.String({ pattern: uuidPattern })
const Id = Type.String({ pattern: '^[\\w-]{1,64}$' })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const ExportedRows = Type.Object({
  name: Name,
  rows: Count,
  sha256: Sha256,
  columns: Type.Array(
    Type.Object({
      name: Name,
      type: Type.String(),
      nullable: Type.Boolean(),
      references: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
})

/** The text fields are shown in a terminal, so they must not contain control characters. */
const Manifest = Type.Object({
  id: Uuid,
  created_at: Type.String({ pattern: '^[0-9T:.Z+-]{20,40}$' }),
  server_version: Type.String({ pattern: '^[\\w.+-]{1,60}$' }),
  schema_version: Count,
  source: Type.Object({
    url: Type.String({ pattern: '^https?://[\\x21-\\x7e]{1,500}$' }),
    installation_id: Type.Union([Type.String(), Type.Null()]),
  }),
  scope: Type.Object({ workspace_id: Id, application_id: Type.Union([Id, Type.Null()]) }),
  has_secrets: Type.Boolean(),
  tables: Type.Array(ExportedRows),
  stored_objects: ExportedRows,
  files: Type.Object({ count: Count, size_bytes: Count, sha256: Sha256 }),
  public_key: Type.String(),
})

export const FileLine = Type.Object({
  key: Type.String({ pattern: '^[\\w./-]{1,200}$' }),
  size_bytes: Type.Integer({ minimum: 0 }),
  sha256: Sha256,
  md5: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  icon_type: Type.Union([Type.String({ pattern: '^image/[a-z+.-]{1,30}$' }), Type.Null()]),
})

/** Returns what is wrong with a value, or undefined if it matches the schema. Ignores additional fields. */
export function findMismatch(schema: TSchema, value: unknown): string | undefined {
  if (Check(schema, value)) return undefined
  const [error] = Errors(schema, value)
  const field = (error?.instancePath ?? '').slice(1).replaceAll('/', '.')
  return field === '' ? 'must be a JSON object' : `\`${field}\` ${error?.message ?? 'is invalid'}`
}

/** Returns the manifest of a complete export whose signature and fields are valid. */
export async function readSignedManifest(folder: string): Promise<ExportManifest> {
  const { manifest: path, signature } = exportPaths(folder)
  const text = await findSmallText(path)
  if (text === undefined) throw incompleteExport({ folder })
  const value = parse(path, text)
  const found = (value ?? {}) as Partial<Static<typeof Manifest>> & { format?: unknown }
  if (typeof found.format === 'number' && found.format > format)
    throw unknownFormat({ found: found.format, known: format })
  if (!isSignedBy(String(found.public_key), Buffer.from(text), (await findSmallText(signature)) ?? ''))
    throw signatureInvalid({ path })
  const mismatch = found.format === format ? findMismatch(Manifest, value) : '`format` is invalid'
  if (mismatch !== undefined) throw invalidManifest({ path, mismatch })
  return value as ExportManifest
}

const incompleteExport = problem(
  'not_found',
  'export.incomplete',
  '{folder} is not a complete export: it contains no manifest.json. Rerun the export to complete it.',
)

const signatureInvalid = problem(
  'conflict',
  'export.damaged',
  'The signature of {path} is missing or not valid, so the export was modified. Use another copy.',
)

const invalidManifest = problem(
  'conflict',
  'export.invalid_manifest',
  '{path} is not the manifest of an export: {mismatch}. Export again on the other server.',
)

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw notJson({ path })
  }
}

const notJson = problem(
  'conflict',
  'export.damaged',
  '{path} is damaged: it is not JSON. Copy it from the original export, then rerun the import.',
)

async function findSmallText(path: string): Promise<string | undefined> {
  try {
    await requireRegularFile(path, maxManifestBytes)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTDIR')) throw error
    return undefined
  }
}

/** Throws unless the path is a regular file. Reading a pipe or a device could wait or continue indefinitely. */
export async function requireRegularFile(path: string, maxBytes = Infinity): Promise<void> {
  const found = await lstat(path)
  if (found.isFile() && found.size <= maxBytes) return
  throw found.isFile() ? fileTooLarge({ path }) : notARegularFile({ path })
}

const unknownFormat = problem(
  'conflict',
  'export.unknown_format',
  'The export has the format {found}, but this version reads format {known}. Update this server, then rerun the import.',
)

const fileTooLarge = problem(
  'conflict',
  'export.damaged',
  '{path} is too large. Copy it from the original export, then rerun the import.',
)

const notARegularFile = problem(
  'conflict',
  'export.damaged',
  '{path} is not a regular file. Copy it from the original export, then rerun the import.',
)
