import { readFileSync } from 'node:fs'
import { inspectFile } from '../../src/inspection/inspect-file.ts'
import type { ByteSource, Inspection, IosInfo, PackageInfo } from '../../src/inspection/inspection.ts'

export function bufferSource(bytes: Buffer): ByteSource {
  return {
    sizeBytes: bytes.length,
    read: (offset, length) =>
      offset + length > bytes.length
        ? Promise.reject(new Error('The range is outside the file.'))
        : Promise.resolve(Buffer.from(bytes.subarray(offset, offset + length))),
  }
}

export const inspectBytes = (bytes: Buffer, filetype: string): Promise<Inspection> =>
  inspectFile(bufferSource(bytes), filetype)

export const inspectPath = (path: string, filetype: string): Promise<Inspection> =>
  inspectBytes(readFileSync(path), filetype)

export async function iosInfo(bytes: Buffer): Promise<IosInfo> {
  const { ios_info: info } = await inspectBytes(bytes, 'ipa')
  if (info === null) throw new Error('The file has no ios_info.')
  return info
}

export async function packageInfo(bytes: Buffer, filetype = 'none'): Promise<PackageInfo> {
  const { file_info: info } = await inspectBytes(bytes, filetype)
  if (info === null) throw new Error('The file has no file_info.')
  return info
}
