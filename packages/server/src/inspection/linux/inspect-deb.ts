import { decompressStream, type StreamCompression } from '../archives/decompress-stream.ts'
import { decompress } from '../archives/decompress.ts'
import { tarFiles } from '../archives/tar-stream.ts'
import { cleanText, orNull, parseOr, readBytes, sourceWithin } from '../bytes.ts'
import { readStreamedDebugIds } from '../debug-ids/read-streamed-debug-ids.ts'
import {
  emptyInspection,
  InspectionError,
  unknownPackage,
  type ByteSource,
  type DebugId,
  type Inspection,
  type PackageField,
} from '../inspection.ts'
import { maxPackageFields } from '../metadata-limits.ts'
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
export async function inspectDeb(source: ByteSource, content: ByteSource): Promise<Inspection> {
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
  const stanza = readControl(control.toString('utf8'))
  const fields = new Map(stanza.map(({ name, value }) => [name.toLowerCase(), value.split('\n', 1)[0]]))
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
    deb_control: stanza.length > maxPackageFields ? null : stanza,
    debug_ids: await readDataIds(
      content,
      members.find(({ name }) => name.startsWith('data.tar')),
    ),
  }
}

/** Returns the IDs of the executables that the package installs. */
async function readDataIds(content: ByteSource, member: Member | undefined): Promise<DebugId[]> {
  const compression = compressionOf(member?.name ?? '')
  if (member === undefined || compression === undefined) return []
  const { offset, length } = member
  if (offset + length > content.sizeBytes) return []
  const data = sourceWithin(content, offset, length, damaged)
  return readStreamedDebugIds(tarFiles(decompressStream(data, compression, damaged)))
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

function compressionOf(name: string): StreamCompression | undefined {
  const extension = name.replace(/^(?:control|data)\.tar/, '')
  if (extension === '') return 'none'
  return (['gz', 'xz', 'zst'] as const).find((found) => extension === `.${found}`)
}

/**
 * Returns the fields of the first paragraph of a control file. Lines that continue a value start with a space, as in the
 * file. An index of packages consists of such paragraphs, so that another paragraph would be another package.
 */
function readControl(text: string): PackageField[] {
  const fields: PackageField[] = []
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') {
      if (fields.length > 0) break
      continue
    }
    const [, name, value = ''] = /^([!-9;-~]+):[ \t]*(.*)$/.exec(line) ?? []
    const last = fields.at(-1)
    if (name !== undefined) fields.push({ name, value: printableLine(value) })
    else if (/^[ \t]/.test(line) && last !== undefined) last.value += `\n${printableLine(line)}`
  }
  return fields
}

const printableLine = (line: string): string =>
  line
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t]/gu, '')
    .trimEnd()
