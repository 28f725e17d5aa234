import { decompress, type Compression } from '../archives/decompress.ts'
import { cleanText, parseOr, readBytes } from '../bytes.ts'
import {
  emptyInspection,
  InspectionError,
  unknownPackage,
  type ByteSource,
  type Inspection,
} from '../inspection.ts'
import { linuxArchitectures } from './architectures.ts'
import { findTarFile } from './tar.ts'

const damaged = 'The Debian package is damaged.'
const headerBytes = 60
const maxMembers = 16
const maxArchiveBytes = 16 * 2 ** 20
const maxControlBytes = 2 ** 20

/** Reads the control file of a Debian package (deb(5)). */
export async function inspectDeb(source: ByteSource): Promise<Inspection> {
  const { name, data } = await findControlArchive(source)
  const compression = compressionOf(name)
  if (compression === undefined)
    throw new InspectionError('The Debian package is compressed with an unsupported method.')
  const archive = await decompress(data, compression, { maxBytes: maxArchiveBytes, reason: damaged })
  const control = parseOr(damaged, () => findTarFile(archive, 'control'))
  if (control === undefined || control.length > maxControlBytes) throw new InspectionError(damaged)
  const fields = readControl(control.toString('utf8'))
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      format: 'deb',
      name: cleanText(fields.get('package')),
      version: cleanText(fields.get('version')),
      publisher: cleanText(fields.get('maintainer')),
      architectures: linuxArchitectures(fields.get('architecture')),
    },
  }
}

/** Returns the control archive (control.tar.*) of the package. */
async function findControlArchive(source: ByteSource): Promise<{ name: string; data: Buffer }> {
  let at = '!<arch>\n'.length
  for (let member = 0; member < maxMembers && at < source.sizeBytes; member++) {
    const header = await readBytes(source, at, headerBytes, damaged)
    const name = header.toString('latin1', 0, 16).trim().replace(/\/$/, '')
    const length = Number(header.toString('latin1', 48, 58).trim())
    if (header.toString('latin1', 58) !== '`\n' || !Number.isSafeInteger(length) || length < 0) break
    if (name.startsWith('control.tar')) {
      if (length > maxArchiveBytes) break
      return { name, data: await readBytes(source, at + headerBytes, length, damaged) }
    }
    // Members start at even offsets.
    at += headerBytes + length + (length % 2)
  }
  throw new InspectionError(damaged)
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
