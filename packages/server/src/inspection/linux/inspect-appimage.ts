import { maxIconBytes } from '../../formats/image.ts'
import { cleanText, orNull, parseOr, readHead, readUint64 } from '../bytes.ts'
import { readIcon } from '../icon.ts'
import {
  emptyInspection,
  unknownPackage,
  type ByteSource,
  type Icon,
  type Inspection,
} from '../inspection.ts'
import { openSquashfs, type Squashfs } from './squashfs.ts'

const headerBytes = 64
const maxDesktopBytes = 256 * 1024
const damaged = 'The AppImage is damaged.'

/** Maps machine types of ELF files to architectures of the catalog. */
const architectures: Readonly<Record<number, string>> = {
  0x03: 'x86',
  0x28: 'armv7',
  0x3e: 'x64',
  0xb7: 'arm64v8',
}

/** Returns whether these are the first bytes of a type 2 AppImage. */
export function isAppImage(head: Buffer): boolean {
  return head.toString('latin1', 0, 4) === '\u007fELF' && head.toString('latin1', 8, 11) === 'AI\u0002'
}

/**
 * Reads the desktop file and the icon of an AppImage, an executable followed by a squashfs file system
 * (https://github.com/AppImage/AppImageSpec).
 */
export async function inspectAppImage(source: ByteSource): Promise<Inspection> {
  const header = await readHead(source, headerBytes)
  const architecture = parseOr(damaged, () => architectures[header.readUInt16LE(18)])
  const files = await openSquashfs(
    source,
    parseOr(damaged, () => executableBytes(header)),
  )
  const names = await files.list()
  const desktopPath = names.find((name) => name.endsWith('.desktop'))
  const desktop = desktopPath === undefined ? null : await orNull(files.read(desktopPath, maxDesktopBytes))
  const entry = readDesktopEntry(desktop?.toString('utf8') ?? '')
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      format: 'appimage',
      name: cleanText(entry.get('Name')),
      version: cleanText(entry.get('X-AppImage-Version')),
      architectures: architecture === undefined ? [] : [architecture],
    },
    icon: await findIcon(files, entry.get('Icon')),
  }
}

/** Returns the size of the executable, which ends with its section header table. */
function executableBytes(header: Buffer): number {
  const is64Bit = header.readUInt8(4) === 2
  return is64Bit
    ? readUint64(header, 40, 'LE') + header.readUInt16LE(58) * header.readUInt16LE(60)
    : header.readUInt32LE(32) + header.readUInt16LE(46) * header.readUInt16LE(48)
}

/** Returns the keys of the group `Desktop Entry`. */
function readDesktopEntry(text: string): Map<string, string> {
  const [, group = ''] = text.split(/^\[Desktop Entry\]\s*$/m, 2)
  const entries = new Map<string, string>()
  for (const line of group.split(/\r?\n/)) {
    if (line.startsWith('[')) break
    const equals = line.indexOf('=')
    if (equals > 0) entries.set(line.slice(0, equals).trim(), line.slice(equals + 1).trim())
  }
  return entries
}

async function findIcon(files: Squashfs, name: string | undefined): Promise<Icon | null> {
  for (const path of [`${name}.png`, '.DirIcon']) {
    const bytes = await orNull(files.read(path, maxIconBytes))
    const icon = bytes === null ? null : readIcon(bytes)
    if (icon !== null) return icon
  }
  return null
}
