import { cleanText, parseOr, readBytes, slice } from '../bytes.ts'
import {
  emptyInspection,
  InspectionError,
  unknownPackage,
  type ByteSource,
  type Inspection,
} from '../inspection.ts'
import { describeKey } from '../signatures/openpgp.ts'
import { linuxArchitectures } from './architectures.ts'

const damaged = 'The RPM package is damaged.'
const leadBytes = 96
const headerMagic = 0x8eade801
const introBytes = 16
const entryBytes = 16
/** A header lists all files of a package. rpm accepts headers of up to 256 MiB. */
const maxHeaderBytes = 64 * 2 ** 20

const tag = {
  name: 1000,
  version: 1001,
  release: 1002,
  epoch: 1003,
  vendor: 1011,
  packager: 1015,
  architecture: 1022,
}
/** The tags of OpenPGP signatures, of the header only or of the whole package. */
const signatureTags = [268, 267, 1002, 1005]
const type = { int32: 4, string: 6, binary: 7, i18nString: 9 }

/** A header structure. `text` and `binary` return the value of a tag, or undefined if it is missing. */
type Header = {
  text: (tag: number) => string | undefined
  binary: (tag: number) => Buffer | undefined
  endOffset: number
}

/** Reads the header of an RPM package (https://rpm-software-management.github.io/rpm/manual/format_v4.html). */
export async function inspectRpm(source: ByteSource): Promise<Inspection> {
  const signature = await readHeader(source, leadBytes)
  const { text } = await readHeader(source, Math.ceil(signature.endOffset / 8) * 8)
  const epoch = text(tag.epoch)
  const version = text(tag.version)
  const packageSignature = signatureTags
    .map((found) => signature.binary(found))
    .find((found) => found !== undefined)
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      format: 'rpm',
      name: cleanText(text(tag.name)),
      version: cleanText(epoch === undefined || version === undefined ? version : `${epoch}:${version}`),
      build_number: cleanText(text(tag.release)),
      publisher: cleanText(text(tag.vendor) ?? text(tag.packager)),
      ...describeKey(packageSignature),
      architectures: linuxArchitectures(text(tag.architecture)),
    },
  }
}

/** Reads a header structure: an index of tags and their values. */
async function readHeader(source: ByteSource, offset: number): Promise<Header> {
  const intro = await readBytes(source, offset, introBytes, damaged)
  const indexBytes = intro.readUInt32BE(8) * entryBytes
  const valueBytes = intro.readUInt32BE(12)
  if (intro.readUInt32BE(0) !== headerMagic || indexBytes + valueBytes > maxHeaderBytes)
    throw new InspectionError(damaged)
  const bytes = await readBytes(source, offset + introBytes, indexBytes + valueBytes, damaged)
  const values = bytes.subarray(indexBytes)
  const entryOf = (wanted: number): Buffer | undefined => {
    for (let at = 0; at < indexBytes; at += entryBytes)
      if (bytes.readUInt32BE(at) === wanted) return slice(bytes, at, entryBytes)
    return undefined
  }
  const valueOf =
    <T>(read: (values: Buffer, entry: Buffer) => T) =>
    (wanted: number) =>
      parseOr(damaged, () => {
        const entry = entryOf(wanted)
        return entry && read(values, entry)
      })
  return {
    endOffset: offset + introBytes + bytes.length,
    text: valueOf(readText),
    binary: valueOf(readBinary),
  }
}

function readText(values: Buffer, entry: Buffer): string | undefined {
  const offset = entry.readUInt32BE(8)
  const kind = entry.readUInt32BE(4)
  if (kind === type.int32) return String(values.readUInt32BE(offset))
  if (kind !== type.string && kind !== type.i18nString) return undefined
  const end = values.indexOf(0, offset)
  return slice(values, offset, end - offset).toString('utf8')
}

function readBinary(values: Buffer, entry: Buffer): Buffer | undefined {
  const isBinary = entry.readUInt32BE(4) === type.binary
  return isBinary ? slice(values, entry.readUInt32BE(8), entry.readUInt32BE(12)) : undefined
}
