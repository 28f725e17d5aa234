import { cleanText, orNull } from '../bytes.ts'
import { readIcon } from '../icon.ts'
import { maxIconBytes } from '../images/image.ts'
import { emptyInspection, unknownPackage, type ByteSource, type Inspection } from '../inspection.ts'
import { linuxArchitectures } from './architectures.ts'
import { readSquashfsDebugIds } from './squashfs-debug-ids.ts'
import { openSquashfs } from './squashfs.ts'
import { readTopLevel } from './yaml-values.ts'

const manifestPath = 'meta/snap.yaml'
const maxManifestBytes = 2 ** 20

/** Reads the manifest and the icon of a snap, a squashfs file system (https://snapcraft.io/docs/snap-format). */
export async function inspectSnap(
  source: ByteSource,
  content: ByteSource,
  filetype?: string,
): Promise<Inspection> {
  const reading = readSnap(source, content)
  // Other squashfs file systems can be compressed with other methods, and can have a folder of the same name.
  return filetype === 'snap' ? reading : ((await orNull(reading)) ?? emptyInspection)
}

async function readSnap(source: ByteSource, content: ByteSource): Promise<Inspection> {
  const files = await openSquashfs(source, 0)
  if (!(await files.list()).includes('meta')) return emptyInspection
  const manifest = readTopLevel((await files.read(manifestPath, maxManifestBytes)).toString('utf8'))
  const text = (name: string) => cleanText(manifest.get(name)?.[0])
  const icon = await orNull(files.read('meta/gui/icon.png', maxIconBytes))
  const [base, name] = [text('base'), text('name')]
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      format: 'snap',
      name: text('title') ?? name,
      version: text('version'),
      architectures: [...new Set((manifest.get('architectures') ?? []).flatMap(linuxArchitectures))],
      dependencies: base === null ? [] : [base],
    },
    icon: icon === null ? null : readIcon(icon),
    debug_ids: await readSquashfsDebugIds(await openSquashfs(content, 0)),
  }
}
