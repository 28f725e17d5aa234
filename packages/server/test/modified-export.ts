import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exportPaths } from '../src/operations/export/export-folder.ts'
import { deriveExportKey, signBytes } from '../src/operations/export/export-key.ts'

export type Manifest = Record<string, unknown> & {
  scope: { workspace_id: string; application_id: string | null }
  tables: { name: string; rows: number; sha256: string }[]
  files: { count: number; sha256: string }
}
type Row = Record<string, unknown>

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(exportPaths(folder).manifest, 'utf8')) as Manifest

/** Signs a manifest with the key of an attacker, whose checksums match the modified files. */
async function sign(folder: string, change: (manifest: Manifest) => void = () => {}): Promise<void> {
  const paths = exportPaths(folder)
  const manifest = await readManifest(folder)
  const describe = async (path: string) => {
    const text = await readFile(path, 'utf8').catch(() => '')
    const sha256 = createHash('sha256').update(text).digest('hex')
    return { rows: text.split('\n').length - 1, sha256 }
  }
  for (const table of manifest.tables) Object.assign(table, await describe(paths.rows(table.name)))
  const { rows: count, sha256 } = await describe(paths.index)
  Object.assign(manifest.files, { count, sha256 })
  change(manifest)
  await signText(folder, JSON.stringify(manifest))
}

export async function signText(folder: string, text: string): Promise<void> {
  const paths = exportPaths(folder)
  await writeFile(paths.manifest, text)
  await writeFile(paths.signature, signBytes(deriveExportKey('secret of an attacker'), Buffer.from(text)))
}

/** Returns a change of the first row of a table, or of the line that `files.jsonl` has for it. */
export const changedRow =
  (table: string, fields: Row | ((row: Row) => Row)) =>
  async (folder: string): Promise<void> => {
    const path = table === 'files.jsonl' ? exportPaths(folder).index : exportPaths(folder).rows(table)
    const [first = '', ...others] = (await readFile(path, 'utf8')).split('\n')
    const row = JSON.parse(first) as Row
    const changed = typeof fields === 'function' ? fields(row) : { ...row, ...fields }
    await writeFile(path, [JSON.stringify(changed), ...others].join('\n'))
    await signWithOwnKey(folder)
  }

export const addedLine =
  (table: string, line: string | ((first: string) => string)) =>
  async (folder: string): Promise<void> => {
    const path = exportPaths(folder).rows(table)
    const [first = ''] = (await readFile(path, 'utf8')).split('\n')
    await appendFile(path, `${typeof line === 'string' ? line : line(first)}\n`)
    await signWithOwnKey(folder)
  }

const signWithOwnKey = (folder: string) =>
  sign(folder, (manifest) => {
    manifest['public_key'] = deriveExportKey('secret of an attacker').publicKey
  })

export const changedManifest = (change: (manifest: Manifest) => void) => (folder: string) =>
  sign(folder, (manifest) => {
    manifest['public_key'] = deriveExportKey('secret of an attacker').publicKey
    change(manifest)
  })

export async function firstFile(folder: string): Promise<string> {
  const entries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })
  const file = entries.find((entry) => entry.isFile())
  assert.ok(file)
  return join(file.parentPath, file.name)
}

export type Case = {
  name: string
  change: (folder: string) => Promise<void>
  of?: 'workspace' | 'application'
  code?: string
  message: RegExp
}
