import { InspectionError } from '../inspection.ts'
import { StreamReader, type StreamedFile } from './stream-reader.ts'

const headerBytes = 110
const maxNameBytes = 4096
const damaged = 'The cpio archive is damaged.'
const trailer = 'TRAILER!!!'

const padded = (length: number): number => Math.ceil(length / 4) * 4

/**
 * Yields the files of a cpio archive in the format newc, which RPM packages contain. Stops at the end of the archive, when
 * the stream ends, or at an entry in another format. Throws `InspectionError` if the archive is damaged.
 */
export async function* cpioFiles(
  stream: AsyncIterable<Buffer>,
): AsyncGenerator<StreamedFile, void, undefined> {
  await using reader = new StreamReader(stream)
  for (;;) {
    const header = await reader.take(headerBytes)
    if (header.length < headerBytes || !/^07070[12]$/.test(header.toString('latin1', 0, 6))) return
    const [sizeBytes, nameBytes] = [numberAt(header, 54), numberAt(header, 94)]
    if (nameBytes > maxNameBytes) throw new InspectionError(damaged)
    const text = await reader.take(padded(headerBytes + nameBytes) - headerBytes)
    const name = text.toString('utf8', 0, Math.max(nameBytes - 1, 0)).replace(/^(?:\.\/)+/, '')
    if (name === trailer) return
    const { file, skip } = reader.file(name, sizeBytes, padded(sizeBytes))
    yield file
    if (!(await skip())) return
  }
}

function numberAt(header: Buffer, offset: number): number {
  const digits = header.toString('latin1', offset, offset + 8)
  if (!/^[0-9a-f]{8}$/i.test(digits)) throw new InspectionError(damaged)
  return Number.parseInt(digits, 16)
}
