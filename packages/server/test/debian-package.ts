import { gzipSync } from 'node:zlib'
import { tarGz } from '../src/lib/archives/tar.ts'

/** Returns a Debian package with these control fields and no content. */
export function debianPackage(fields: Record<string, string>): Buffer {
  const control = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`)
  return Buffer.concat([
    Buffer.from('!<arch>\n'),
    member('debian-binary', Buffer.from('2.0\n')),
    member(
      'control.tar.gz',
      tarGz([{ path: './control', content: Buffer.from(control.join('')) }], new Date(0)),
    ),
    member('data.tar.gz', gzipSync(Buffer.alloc(1024))),
  ])
}

function member(name: string, content: Buffer): Buffer {
  const header = `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(content.length).padEnd(10)}\`\n`
  return Buffer.concat([Buffer.from(header), content, Buffer.alloc(content.length % 2, '\n')])
}
