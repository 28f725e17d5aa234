import { textOf } from '../apple/plist-value.ts'
import { readPlist } from '../apple/plist.ts'
import { cleanText, parseOrNull } from '../bytes.ts'
import { readDebugIds } from '../debug-ids/read-debug-ids.ts'
import { emptyInspection, unknownPackage, type ByteSource, type Inspection } from '../inspection.ts'
import { signerName } from '../signatures/signature.ts'
import { readMachOInfo, type MachOInfo } from './mach-o-info.ts'
import { listSlices, type MachOSlice } from './mach-o.ts'
import { verifyMachO, type CodeSignature } from './verify-mach-o.ts'

const maxDependencies = 500
/** The status of a file is that of the architecture that comes first in this list. */
const worstFirst = ['invalid', 'unknown', 'unsigned', 'valid'] as const

type Part = MachOSlice & MachOInfo & { codeSignature: CodeSignature }

/** Reads the metadata of an executable or library for Apple platforms, and verifies its code signatures. */
export async function inspectMachO(source: ByteSource, content: ByteSource): Promise<Inspection> {
  const parts: Part[] = []
  for (const slice of await listSlices(source)) {
    const info = await readMachOInfo(source, slice)
    parts.push({ ...slice, ...info, codeSignature: await verifyMachO(content, slice, info.signature) })
  }
  const [first] = parts
  if (first === undefined) return emptyInspection
  const { infoPlist } = first
  const plist = infoPlist === null ? null : parseOrNull(() => readPlist(infoPlist))
  const text = (key: string) => (plist === null ? null : cleanText(textOf(plist, key)))
  const signature = worstFirst
    .flatMap((status) => parts.find(({ codeSignature }) => codeSignature.status === status) ?? [])
    .at(0)?.codeSignature
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      format: 'mach-o',
      name: text('CFBundleName') ?? baseName(first.installName) ?? cleanText(first.codeSignature.identifier),
      version: text('CFBundleShortVersionString') ?? first.currentVersion,
      build_number: text('CFBundleVersion'),
      minimum_os: minimumSystem(parts),
      signer: signature === undefined ? null : signerName(signature),
      signature_status: signature?.status ?? null,
      architectures: architecturesOf(parts),
      dependencies: [...new Set(parts.flatMap(({ dependencies }) => dependencies))].slice(0, maxDependencies),
    },
    debug_ids: await readDebugIds(source, { name: null, path: null }),
  }
}

const baseName = (path: string | null): string | null => cleanText(path?.slice(path.lastIndexOf('/') + 1))

/** Returns the oldest system of all architectures, such as `macOS 10.15`. */
function minimumSystem(parts: readonly Part[]): string | null {
  const [oldest] = parts
    .flatMap(({ system, minimumVersion }) => (minimumVersion === null ? [] : { system, minimumVersion }))
    .toSorted((a, b) => a.minimumVersion.localeCompare(b.minimumVersion, 'en', { numeric: true }))
  return oldest === undefined ? null : [oldest.system, oldest.minimumVersion].filter(Boolean).join(' ')
}

function architecturesOf(parts: readonly Part[]): string[] {
  const found = [...new Set(parts.flatMap(({ architecture }) => architecture ?? []))]
  return parts.every(({ system }) => system === 'macOS') ? macArchitectures(found) : found
}

/** Replaces architectures with the catalog's identifiers for Macs. */
export function macArchitectures(found: string[]): string[] {
  const isUniversal = found.includes('x64') && found.includes('arm64v8')
  return isUniversal ? ['u2b'] : found.map((name) => (name === 'arm64v8' ? 'apple' : name))
}
