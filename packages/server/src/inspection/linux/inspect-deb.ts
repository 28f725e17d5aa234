import { decompress, type Compression } from '../archives/decompress.ts'
import { cleanText, orNull, parseOr, readBytes } from '../bytes.ts'
import {
  emptyInspection,
  InspectionError,
  unknownPackage,
  type ByteSource,
  type Inspection,
} from '../inspection.ts'
import { describeKey } from '../signatures/openpgp.ts'
import { linuxArchitectures } from './architectures.ts'
import { findTarFile } from './tar.ts'

const damaged = 'The Debian package is damaged.'
const headerBytes = 60
const maxMembers = 16
const maxArchiveBytes = 16 * 2 ** 20
const maxControlBytes = 2 ** 20
const maxSignatureBytes = 2 ** 20

type Member = { name: string; offset: number; length: number }

/** Reads the control file of a Debian package (deb(5)). */
export async function inspectDeb(source: ByteSource): Promise<Inspection> {
  const members = await listMembers(source)
  const member = members.find(({ name }) => name.startsWith('control.tar'))
  const data = await readMember(source, member, maxArchiveBytes)
  const compression = compressionOf(member?.name ?? '')
  if (compression === undefined)
    throw new InspectionError('The Debian package is compressed with an unsupported method.')
  const archive = await decompress(data, compression, { maxBytes: maxArchiveBytes, reason: damaged })
  const control = parseOr(damaged, () => findTarFile(archive, 'control'))
  if (control === undefined || control.length > maxControlBytes) throw new InspectionError(damaged)
  // The tools debsigs and dpkg-sig add signatures as members of the archive.
  const signed = members.find(({ name }) => name.startsWith('_gpg'))
  const signature =
    signed && ((await orNull(readMember(source, signed, maxSignatureBytes))) ?? Buffer.alloc(0))
  const fields = readControl(control.toString('utf8'))
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      format: 'deb',
      name: cleanText(fields.get('package')),
      version: cleanText(fields.get('version')),
      publisher: cleanText(fields.get('maintainer')),
      ...describeKey(signature),
      architectures: linuxArchitectures(fields.get('architecture')),
    },
  }
}

/** Returns the members of the package, whose format is that of ar(1). */
async function listMembers(source: ByteSource): Promise<Member[]> {
  const members: Member[] = []
  let at = '!<arch>\n'.length
  while (members.length < maxMembers && at < source.sizeBytes) {
    const header = await readBytes(source, at, headerBytes, damaged)
    const name = header.toString('latin1', 0, 16).trim().replace(/\/$/, '')
    const length = Number(header.toString('latin1', 48, 58).trim())
    if (header.toString('latin1', 58) !== '`\n' || !Number.isSafeInteger(length) || length < 0) break
    members.push({ name, offset: at + headerBytes, length })
    // Members start at even offsets.
    at += headerBytes + length + (length % 2)
  }
  return members
}

function readMember(source: ByteSource, member: Member | undefined, maxBytes: number): Promise<Buffer> {
  return member === undefined || member.length > maxBytes
    ? Promise.reject(new InspectionError(damaged))
    : readBytes(source, member.offset, member.length, damaged)
}

function compressionOf(name: string): Compression | undefined {
  const extension = name.slice('control.tar'.length)
  if (extension === '') return 'none'
  return (['gz', 'xz', 'zst'] as const).find((found) => extension === `.${found}`)
}

/** Returns the first line of each field by its lowercase name. */
function readControl(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of text.split('\n')) {
    const match = /^([!-9;-~]+):[ \t]*(.*)$/.exec(line)
    const [, name, value] = match ?? []
    if (name !== undefined && value !== undefined) fields.set(name.toLowerCase(), value)
  }
  return fields
}
