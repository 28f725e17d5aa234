import { openReadableZip, type ZipArchive } from '../archives/zip.ts'
import { cleanText, orNull, readHead } from '../bytes.ts'
import { isSymbolFile } from '../debug-ids/executable-names.ts'
import { maxDebugIds, readArchivedDebugIds } from '../debug-ids/read-archived-debug-ids.ts'
import { mayHaveDebugIds, readDebugIds } from '../debug-ids/read-debug-ids.ts'
import { breakpadId, mappingIds } from '../debug-ids/text-ids.ts'
import { emptyInspection, type ByteSource, type DebugId, type Inspection } from '../inspection.ts'
import type { ArtifactFormat } from './artifact-format.ts'
import { maxArtifactHeadBytes } from './recognize-artifact.ts'

const nowhere = { name: null, path: null }
const dsymFile = /\.dSYM\/Contents\/Resources\/DWARF\/[^/]+$/
const nativeSymbolFile =
  /^(?:.*\/)?(?:armeabi(?:-v7a)?|arm64-v8a|x86|x86_64|riscv64)\/[^/]+\.so(?:\.dbg|\.sym)?$/
const maxBreakpadFiles = 500

/** Reads the debug IDs of a metadata artifact and the formats that only its whole content shows. */
export async function inspectArtifact(source: ByteSource): Promise<Inspection> {
  const head = await readHead(source, maxArtifactHeadBytes)
  if (head.toString('latin1', 0, 4) === 'PK\u0003\u0004') return inspectArchive(source)
  if (mayHaveDebugIds(head)) {
    const ids = await readDebugIds(source, nowhere)
    return { ...emptyInspection, artifact_format: formatOf(ids), debug_ids: ids }
  }
  const text = head.toString('utf8')
  const id = breakpadId(text, nowhere)
  return { ...emptyInspection, debug_ids: id === undefined ? mappingIds(text, nowhere) : [id] }
}

function formatOf(ids: DebugId[]): ArtifactFormat | null {
  const symbols = ids.find(({ role }) => role === 'symbols')
  if (symbols?.kind === 'elf_build_id') return 'elf_symbols'
  return symbols?.kind === 'mach_uuid' ? 'dsym' : null
}

/** Reads the symbol files and executables in a ZIP archive. */
async function inspectArchive(source: ByteSource): Promise<Inspection> {
  const zip = await openReadableZip(source)
  if (zip === undefined) return emptyInspection
  const dsyms = zip.names.filter((name) => dsymFile.test(name) && !name.startsWith('__MACOSX/'))
  const libraries = zip.names.filter((name) => nativeSymbolFile.test(name))
  const format = dsyms.length > 0 ? 'dsym' : libraries.length > 0 ? 'native_symbols' : null
  const known = new Set([...dsyms, ...libraries])
  const others = zip.names.filter((name) => isSymbolFile(name) && !known.has(name))
  const ids = await readArchivedDebugIds(zip, source, [
    ...[...known].map((path) => ({ path, role: 'symbols' as const })),
    ...others.map((path) => ({ path })),
  ])
  const breakpad = await readBreakpadFiles(
    zip,
    others.filter((name) => name.endsWith('.sym')),
  )
  return {
    ...emptyInspection,
    artifact_format: format,
    debug_ids: [...ids, ...breakpad].slice(0, maxDebugIds),
  }
}

async function readBreakpadFiles(zip: ZipArchive, paths: string[]): Promise<DebugId[]> {
  const found: DebugId[] = []
  for (const path of paths.slice(0, maxBreakpadFiles)) {
    const head = await orNull(zip.readStart(path))
    const id =
      head === null
        ? undefined
        : breakpadId(head.toString('utf8'), { name: null, path: cleanText(path, 500) })
    if (id !== undefined) found.push(id)
  }
  return found
}
