import { inspectAab } from './android/inspect-aab.ts'
import { inspectApk } from './android/inspect-apk.ts'
import { inspectIpa } from './apple/inspect-ipa.ts'
import { emptyInspection, InspectionError, type ByteSource, type Inspection } from './inspection.ts'

type Reader = (source: ByteSource) => Promise<Inspection>

const readers: Readonly<Record<string, Reader>> = { ipa: inspectIpa, apk: inspectApk, aab: inspectAab }

export async function inspectFile(
  source: ByteSource,
  filetype: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Inspection> {
  const reader = readers[filetype]
  if (reader === undefined) return emptyInspection
  return reader(source)
}
