import { cpioFiles } from '../archives/cpio-stream.ts'
import { decompressStream, type StreamCompression } from '../archives/decompress-stream.ts'
import { cleanText, sourceWithin } from '../bytes.ts'
import { readStreamedDebugIds } from '../debug-ids/read-streamed-debug-ids.ts'
import {
  emptyInspection,
  unknownPackage,
  type ByteSource,
  type DebugId,
  type Inspection,
} from '../inspection.ts'
import { describeKey } from '../signatures/openpgp.ts'
import { linuxArchitectures } from './architectures.ts'
import { readRpmHeader, type RpmTags } from './rpm-header.ts'
import { describeRpm } from './rpm-metadata.ts'

const leadBytes = 96

const tag = {
  name: 1000,
  version: 1001,
  release: 1002,
  epoch: 1003,
  vendor: 1011,
  packager: 1015,
  architecture: 1022,
  payloadCompressor: 1125,
}
/** The tags of OpenPGP signatures, of the header only or of the whole package. */
const signatureTags = [268, 267, 1002, 1005]

/** Payloads that are compressed with bzip2 or LZMA, which old versions of rpm wrote, are not read. */
const compressions: Readonly<Record<string, StreamCompression>> = { gzip: 'gz', xz: 'xz', zstd: 'zst' }
const damaged = 'The payload of the RPM package is damaged.'

/** Reads the header of an RPM package (https://rpm-software-management.github.io/rpm/manual/format_v4.html). */
export async function inspectRpm(source: ByteSource, content: ByteSource): Promise<Inspection> {
  const signature = await readRpmHeader(source, leadBytes)
  const startOffset = Math.ceil(signature.endOffset / 8) * 8
  const header = await readRpmHeader(source, startOffset)
  const { text } = header
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
    rpm_header: describeRpm(header, startOffset),
    debug_ids: await readPayloadIds(content, header),
  }
}

/** Returns the IDs of the executables that the package installs, from its payload after the header. */
async function readPayloadIds(content: ByteSource, { text, endOffset }: RpmTags): Promise<DebugId[]> {
  const compression = compressions[text(tag.payloadCompressor) ?? 'gzip']
  if (compression === undefined) return []
  const payload = sourceWithin(content, endOffset, content.sizeBytes - endOffset, damaged)
  return readStreamedDebugIds(cpioFiles(decompressStream(payload, compression, damaged)))
}
