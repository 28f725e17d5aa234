import { gzipSync } from 'node:zlib'

/** Returns a Debian package with these control fields and no content. */
export function debianPackage(fields: Record<string, string>): Buffer {
  const control = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`)
  return Buffer.concat([
    Buffer.from('!<arch>\n'),
    member('debian-binary', Buffer.from('2.0\n')),
    member('control.tar.gz', gzipSync(tar('./control', Buffer.from(control.join(''))))),
    member('data.tar.gz', gzipSync(Buffer.alloc(1024))),
  ])
}

function member(name: string, content: Buffer): Buffer {
  const header = `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(content.length).padEnd(10)}\`\n`
  return Buffer.concat([Buffer.from(header), content, Buffer.alloc(content.length % 2, '\n')])
}

function tar(path: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512)
  header.write(path)
  header.write('0000644\0', 100)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        0ustar\x0000', 148)
  const checksum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, content, Buffer.alloc(1536 - (content.length % 512))])
}
