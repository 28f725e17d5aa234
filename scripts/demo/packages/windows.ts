import { join, u16, u32 } from '../../../packages/server/test/hostile/bytes.ts'
import { signedMessage, type Signer } from './certificate.ts'

type Executable = {
  productName: string
  companyName: string
  version: readonly [major: number, minor: number, patch: number]
  icon: Buffer
  content: Buffer
  signer: Signer
}

const sectionAddress = 0x1000
const sectionOffset = 0x400
const resourceTypes = { icon: 3, groupIcon: 14, version: 16 }

/** Returns a 64-bit Windows executable with an icon, a version resource and a certificate table. */
export function windowsExecutable({
  productName,
  companyName,
  version,
  icon,
  content,
  signer,
}: Executable): Buffer {
  const resources = resourceTree([
    [resourceTypes.icon, icon],
    [resourceTypes.groupIcon, join(u16(0, 1, 1), 0, 0, 0, 0, u16(1, 32), u32(icon.length), u16(1))],
    [resourceTypes.version, versionResource(version, { ProductName: productName, CompanyName: companyName })],
  ])
  const section = padded(join(resources, content), 8)
  const message = padded(signedMessage(Buffer.from(`${productName} ${version.join('.')}`), signer), 8)
  const certificates = join(u32(message.length + 8), u16(0x200, 2), message)

  const dos = Buffer.alloc(0x80)
  dos.write('MZ')
  dos.writeUInt32LE(0x80, 0x3c)
  const optional = Buffer.alloc(240)
  optional.writeUInt16LE(0x20b, 0)
  u16(10, 0).copy(optional, 48)
  u32(sectionAddress, resources.length).copy(optional, 112 + 16)
  u32(sectionOffset + section.length, certificates.length).copy(optional, 112 + 32)
  const file = join('PE\0\0', u16(0x8664, 1), Buffer.alloc(12), u16(optional.length, 0x22))
  const header = join('.rsrc\0\0\0', u32(section.length, sectionAddress, section.length, sectionOffset))
  const headers = join(dos, file, optional, header, Buffer.alloc(16))
  return join(headers, Buffer.alloc(sectionOffset - headers.length), section, certificates)
}

const padded = (bytes: Buffer, multiple: number): Buffer =>
  join(bytes, Buffer.alloc((multiple - (bytes.length % multiple)) % multiple))

/** Returns a resource tree with the levels type, ID and language. Every resource has the ID 1. */
function resourceTree(resources: readonly (readonly [type: number, content: Buffer])[]): Buffer {
  const isFolder = 0x80000000
  const folder = (...entries: [id: number, offset: number][]) =>
    join(Buffer.alloc(12), u16(0, entries.length), ...entries.map(([id, offset]) => u32(id, offset)))
  const rootBytes = 16 + resources.length * 8
  const leafBytes = 24 + 24 + 16
  const entries = resources.map(([type], index): [number, number] => [
    type,
    isFolder + rootBytes + index * leafBytes,
  ])
  let at = rootBytes + resources.length * leafBytes
  const leaves: Buffer[] = []
  const contents: Buffer[] = []
  for (const [index, [, content]] of resources.entries()) {
    const start = rootBytes + index * leafBytes
    const data = u32(sectionAddress + at, content.length, 0, 0)
    leaves.push(join(folder([1, isFolder + start + 24]), folder([1033, start + 48]), data))
    contents.push(padded(content, 4))
    at += Math.ceil(content.length / 4) * 4
  }
  return join(folder(...entries), ...leaves, ...contents)
}

function versionResource(
  [major, minor, patch]: Executable['version'],
  strings: Record<string, string>,
): Buffer {
  const number = `${major}.${minor}.${patch}.0`
  const all = { ...strings, FileVersion: number, ProductVersion: number }
  const parts = u16(minor, major, 0, patch)
  const fixed = join(u32(0xfeef04bd, 0x10000), parts, parts, Buffer.alloc(28))
  const texts = Object.entries(all).map(([key, value]) =>
    block(key, Buffer.from(`${value}\0`, 'utf16le'), [], 1),
  )
  return block('VS_VERSION_INFO', fixed, [
    block('StringFileInfo', Buffer.alloc(0), [block('040904b0', Buffer.alloc(0), texts)]),
  ])
}

/** Encodes a block of a version resource. The length of text is measured in UTF-16 units. */
function block(key: string, value: Buffer, children: Buffer[] = [], isText = 0): Buffer {
  const name = Buffer.from(`${key}\0`, 'utf16le')
  const head = padded(join(Buffer.alloc(6), name), 4)
  const body = padded(join(head, padded(value, 4), ...children), 4)
  u16(body.length, isText === 1 ? value.length / 2 : value.length, isText).copy(body)
  return body
}
