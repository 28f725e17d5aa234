import { cleanText, orNull, parseOr, readHead, readUint64 } from '../bytes.ts'
import { readElfFile } from '../executables/elf-file.ts'
import { readIcon } from '../icon.ts'
import { maxIconBytes } from '../images/image.ts'
import {
  emptyInspection,
  unknownPackage,
  type ByteSource,
  type Icon,
  type Inspection,
} from '../inspection.ts'
import { readKeyFile } from './key-file.ts'
import { readSquashfsDebugIds } from './squashfs-debug-ids.ts'
import { openSquashfs, type Squashfs } from './squashfs.ts'

const headerBytes = 64
const maxDesktopBytes = 256 * 1024
const damaged = 'The AppImage is damaged.'

/**
 * Reads the desktop file and the icon of an AppImage, an executable followed by a squashfs file system
 * (https://github.com/AppImage/AppImageSpec). Of executables with another file system, such as DwarFS, only the architecture
 * is read.
 */
export async function inspectAppImage(source: ByteSource, content: ByteSource): Promise<Inspection> {
  const header = await readHead(source, headerBytes)
  const { architecture } = await readElfFile(source)
  const start = parseOr(damaged, () => executableBytes(header))
  const info = {
    ...unknownPackage,
    format: 'appimage',
    architectures: architecture === undefined ? [] : [architecture],
  }
  const files = await orNull(openSquashfs(source, start))
  if (files === null) return { ...emptyInspection, file_info: info }
  const names = await files.list()
  const desktopPath = names.find((name) => name.endsWith('.desktop'))
  const desktop = desktopPath === undefined ? null : await orNull(files.read(desktopPath, maxDesktopBytes))
  const entry = readKeyFile(desktop?.toString('utf8') ?? '', 'Desktop Entry')
  return {
    ...emptyInspection,
    file_info: {
      ...info,
      name: cleanText(entry.get('Name')),
      version: cleanText(entry.get('X-AppImage-Version')),
    },
    icon: await findIcon(files, entry.get('Icon')),
    debug_ids: await readSquashfsDebugIds(await openSquashfs(content, start)),
  }
}

/** Returns the size of the executable, which ends with its section header table. */
function executableBytes(header: Buffer): number {
  const is64Bit = header.readUInt8(4) === 2
  return is64Bit
    ? readUint64(header, 40, 'LE') + header.readUInt16LE(58) * header.readUInt16LE(60)
    : header.readUInt32LE(32) + header.readUInt16LE(46) * header.readUInt16LE(48)
}

async function findIcon(files: Squashfs, name: string | undefined): Promise<Icon | null> {
  for (const path of [`${name}.png`, '.DirIcon']) {
    const bytes = await orNull(files.read(path, maxIconBytes))
    const icon = bytes === null ? null : readIcon(bytes)
    if (icon !== null) return icon
  }
  return null
}
