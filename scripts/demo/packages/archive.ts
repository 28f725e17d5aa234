import { gzipSync } from 'node:zlib'

/** Returns a gzipped tar archive with one file. */
export function tarArchive(path: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512)
  header.write(path)
  header.write('0000755\0', 100)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        0ustar\u000000', 148)
  const checksum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148)
  const end = Buffer.alloc(1536 - (content.length % 512))
  // The content does not compress, so compression would only take time.
  return gzipSync(Buffer.concat([header, content, end]), { level: 0 })
}
