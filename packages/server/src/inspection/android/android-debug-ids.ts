import type { ZipArchive } from '../archives/zip.ts'
import { orNull } from '../bytes.ts'
import { baseName } from '../debug-ids/executable-names.ts'
import { maxDebugIds, readArchivedDebugIds } from '../debug-ids/read-archived-debug-ids.ts'
import { mappingIds, markerMapId, maxTextHeadBytes } from '../debug-ids/text-ids.ts'
import type { ByteSource, DebugId } from '../inspection.ts'

// An app bundle can contain the symbols of its own libraries and classes.
const metadataFolder = 'BUNDLE-METADATA/com.android.tools.build.'
const mappingPath = `${metadataFolder}obfuscation/proguard.map`
const symbolsFolder = `${metadataFolder}debugsymbols/`
const maxDexBytes = 64 * 2 ** 20
/** The marker can be in two chunks of the stream. */
const maxMarkerBytes = 4096

/**
 * Returns the build IDs of the native libraries and symbols of a package, and the ID of its R8 mapping. `folder` contains
 * the DEX files: it is empty or has a trailing slash.
 */
export async function readAndroidDebugIds(
  zip: ZipArchive,
  source: ByteSource,
  folder: string,
): Promise<DebugId[]> {
  const libraries = zip.names.filter((name) => /(?:^|\/)lib\/[^/]+\/[^/]+\.so$/.test(name))
  const symbols = zip.names.filter((name) => name.startsWith(symbolsFolder) && !name.endsWith('/'))
  const native = await readArchivedDebugIds(zip, source, [
    ...libraries.map((path) => ({ path, role: 'executable' as const })),
    ...symbols.map((path) => ({ path, role: 'symbols' as const })),
  ])
  const mapping = await readMapping(zip, source)
  const marker = await readMarker(zip, source, folder)
  return [...marker, ...mapping, ...native].slice(0, maxDebugIds)
}

async function readMapping(zip: ZipArchive, source: ByteSource): Promise<DebugId[]> {
  if (!zip.has(mappingPath)) return []
  const head = await orNull(readStart(zip.stream(mappingPath, source)))
  const origin = { name: baseName(mappingPath), path: mappingPath }
  return head === null ? [] : mappingIds(head.toString('utf8'), origin)
}

async function readStart(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    length += chunk.length
    if (length >= maxTextHeadBytes) break
  }
  return Buffer.concat(parts).subarray(0, maxTextHeadBytes)
}

async function readMarker(zip: ZipArchive, source: ByteSource, folder: string): Promise<DebugId[]> {
  const path = ['classes.dex', 'dex/classes.dex']
    .map((name) => `${folder}${name}`)
    .find((name) => zip.has(name))
  if (path === undefined || (zip.sizeOf(path) ?? 0) > maxDexBytes) return []
  const id = await orNull(findMarker(zip.stream(path, source)))
  if (id === undefined || id === null) return []
  return [{ kind: 'r8_map_id', id, role: 'executable', name: baseName(path), path, architecture: null }]
}

async function findMarker(chunks: AsyncIterable<Buffer>): Promise<string | undefined> {
  let rest = ''
  for await (const chunk of chunks) {
    const text = rest + chunk.toString('latin1')
    const id = text.includes('~~R8{') ? markerMapId(text) : undefined
    if (id !== undefined) return id
    rest = text.slice(-maxMarkerBytes)
  }
  return undefined
}
