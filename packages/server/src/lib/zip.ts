import { crc32 } from 'node:zlib'

export type ZipFile = { path: string; content: Buffer }

/** The first day that an archive can name: 1 January 1980. */
const day = 0x21

/** Returns a ZIP archive of files that are not compressed. Their paths must be ASCII. */
export function zipArchive(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, content } of files) {
    const name = Buffer.from(path, 'ascii')
    const fields = fieldsOf(content, name.length)
    const header = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, name, content])
    parts.push(header)
    directory.push(centralEntry(fields, name, offset))
    offset += header.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}

/** Returns the fields that both headers of a file have: from the version to the length of the extra field. */
function fieldsOf(content: Buffer, nameBytes: number): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(10, 0)
  fields.writeUInt16LE(day, 8)
  fields.writeUInt32LE(crc32(content), 10)
  fields.writeUInt32LE(content.length, 14)
  fields.writeUInt32LE(content.length, 18)
  fields.writeUInt16LE(nameBytes, 22)
  return fields
}

function centralEntry(fields: Buffer, name: Buffer, offset: number): Buffer {
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(offset, 10)
  return Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([10, 0]), fields, rest, name])
}
