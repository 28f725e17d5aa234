import { cleanText } from '../bytes.ts'
import type { DebugId } from '../inspection.ts'
import type { Origin } from './read-debug-ids.ts'

/** The number of bytes at the start of a mapping or a symbol file that contain its header. */
export const maxTextHeadBytes = 64 * 1024

/** Returns the ID and the hash of an R8 mapping. Mappings of ProGuard and old versions of R8 have none. */
export function mappingIds(text: string, { name, path }: Origin): DebugId[] {
  const header = headerOf(text)
  const [, id] = /^# pg_map_id: ([0-9a-f]{7,64})\s*$/m.exec(header) ?? []
  const [, hash] = /^# pg_map_hash: SHA-256 ([0-9a-f]{64})\s*$/m.exec(header) ?? []
  const ids = new Set([id, hash].filter((found) => found !== undefined))
  return [...ids].map((found) => ({
    kind: 'r8_map_id',
    id: found,
    role: 'symbols',
    name,
    path,
    architecture: null,
  }))
}

/** Returns the comments before the first class. */
function headerOf(text: string): string {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('#') && line.trim() !== '')
  return lines.slice(0, end < 0 ? lines.length : end).join('\n')
}

/** Returns the ID in the first line of a Breakpad symbol file, or undefined for other files. */
export function breakpadId(text: string, { path }: Origin): DebugId | undefined {
  const [, cpu = '', id, name] =
    /^MODULE [\w.-]+ ([\w.-]+) ([0-9A-F]{33,40}) ([^\r\n]{1,255})/.exec(text) ?? []
  if (id === undefined) return undefined
  const architecture = breakpadArchitectures[cpu.toLowerCase()] ?? null
  return {
    kind: 'breakpad_id',
    id: id.toLowerCase(),
    role: 'symbols',
    name: cleanText(name),
    path,
    architecture,
  }
}

const breakpadArchitectures: Readonly<Record<string, string>> = {
  x86: 'x86',
  x86_64: 'x64',
  x86_64h: 'x64',
  arm: 'armv7',
  armv7: 'armv7',
  arm64: 'arm64v8',
  arm64e: 'arm64v8',
  mips: 'mips',
  mips64: 'mips64',
  ppc: 'ppc',
  ppc64: 'ppc64',
  riscv: 'risc-v',
  riscv64: 'risc-v64',
}

/**
 * Returns the ID of the mapping of a compiled application, which R8 writes to a marker in its DEX files
 * (`~~R8{"pg-map-id":"…"}`).
 */
export function markerMapId(text: string): string | undefined {
  const [, marker = ''] = /~~R8(\{[^{}\0]{1,2000}\})/.exec(text) ?? []
  return /"pg-map-id":"([0-9a-f]{7,64})"/.exec(marker)?.[1]
}
