import { gunzipSync } from 'node:zlib'
import { InspectionError, type ByteSource, type Inspection } from './inspection.ts'

const nothing: Inspection = { ios_info: null, android_info: null, file_info: null, icon: null }
const maxControlBytes = 1024 * 1024

/** Reads what a file of this type says about itself. Throws `InspectionError` if the file is damaged. */
export async function inspectFile(source: ByteSource, filetype: string): Promise<Inspection> {
  if (filetype === 'deb') return { ...nothing, file_info: debInfo(await readControl(source)) }
  throw new InspectionError('This file type cannot be read.')
}

/** Returns the control file of a Debian package, which is in the second member of an `ar` archive. */
async function readControl(source: ByteSource): Promise<string> {
  const start = await source.read(0, 132)
  if (start.toString('latin1', 0, 8) !== '!<arch>\n')
    throw new InspectionError('The file is not a Debian package.')
  const name = start.toString('latin1', 72, 88).trim()
  const length = Number(start.toString('latin1', 120, 130).trim())
  if (name !== 'control.tar.gz' || !(length > 0 && length <= maxControlBytes))
    throw new InspectionError('The control archive of the package cannot be read.')
  const tar = gunzipSync(await source.read(132, length), { maxOutputLength: maxControlBytes })
  for (let offset = 0; offset + 512 <= tar.length;) {
    const path = tar.toString('latin1', offset, offset + 100).replace(/\0.*$/s, '')
    const size = Number.parseInt(tar.toString('latin1', offset + 124, offset + 136), 8) || 0
    if (path === './control' || path === 'control')
      return tar.toString('utf8', offset + 512, offset + 512 + size)
    offset += 512 + Math.ceil(size / 512) * 512
  }
  throw new InspectionError('The package has no control file.')
}

function debInfo(control: string) {
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.+)$`, 'im').exec(control)?.[1] ?? null
  const architecture = field('Architecture')
  return {
    format: 'deb',
    name: field('Package'),
    version: field('Version'),
    build_number: null,
    publisher: field('Maintainer'),
    minimum_os: null,
    signer: null,
    architectures: architecture === null ? [] : [architecture],
  }
}
