import { readProgramIds } from '../archives/zip-programs.ts'
import type { ZipArchive } from '../archives/zip.ts'
import { emptyInspection, type ByteSource, type Inspection } from '../inspection.ts'
import { linuxArchitectures } from '../linux/architectures.ts'
import { readHeaderFields } from './header-fields.ts'
import { describePythonPackage } from './python-metadata.ts'

const metadataPath = /^[^/]+\.dist-info\/METADATA$/
const maxMetadataBytes = 4 * 2 ** 20
const maxWheelBytes = 256 * 1024

/** Maps architectures in the tags of wheels that differ from those of Linux packages. */
const architectures: Readonly<Record<string, string>> = {
  win32: 'x86',
  win_amd64: 'x64',
  win_arm64: 'arm64v8',
  arm64: 'apple',
  universal2: 'u2b',
  armv7l: 'armv7',
  armv6l: 'armv6',
}

/**
 * Returns the path of the metadata of a Python wheel, or undefined for other archives. Folders of installed packages, such
 * as those that are deployed as cloud functions, contain the metadata of several wheels, or state who installed it.
 */
export function findWheelMetadata(zip: ZipArchive): string | undefined {
  const [path, ...others] = zip.names.filter((name) => metadataPath.test(name))
  if (path === undefined || others.length > 0) return undefined
  const folder = path.slice(0, -'METADATA'.length)
  return zip.has(wheelPath(path)) && !zip.has(`${folder}INSTALLER`) ? path : undefined
}

const wheelPath = (path: string): string => `${path.slice(0, -'METADATA'.length)}WHEEL`

/** Reads the metadata of a Python wheel (PEP 427). */
export async function inspectWheel(zip: ZipArchive, path: string, content: ByteSource): Promise<Inspection> {
  const wheel = readHeaderFields((await zip.read(wheelPath(path), maxWheelBytes)).toString('utf8'))
  return {
    ...emptyInspection,
    file_info: {
      ...describePythonPackage(await zip.read(path, maxMetadataBytes), 'whl'),
      build_number: wheel.get('build')?.[0] ?? null,
      architectures: [...new Set((wheel.get('tag') ?? []).flatMap(architecturesInTag))],
    },
    debug_ids: await readProgramIds(zip, content),
  }
}

/** Returns the architecture in a tag such as `cp312-cp312-manylinux_2_17_x86_64`. */
function architecturesInTag(tag: string): string[] {
  const platforms = tag.split('-')[2]?.split('.') ?? []
  return platforms.flatMap((platform) => {
    const name = platform.replace(/^(?:(?:many|musl)?linux\d*|macosx)(?:_\d+)*_/, '')
    const known = architectures[name]
    return known === undefined ? linuxArchitectures(name) : [known]
  })
}
