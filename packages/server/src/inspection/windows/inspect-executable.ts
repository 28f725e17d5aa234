import { cleanText, orNull, parseOrNull } from '../bytes.ts'
import { readDebugIds } from '../debug-ids/read-debug-ids.ts'
import { maxIconBytes } from '../images/image.ts'
import {
  emptyInspection,
  unknownPackage,
  type ByteSource,
  type Icon,
  type Inspection,
} from '../inspection.ts'
import { signerName } from '../signatures/signature.ts'
import { readPeFile, type PeFile } from './pe-file.ts'
import { listImports } from './pe-imports.ts'
import { readResource, resourceType } from './pe-resources.ts'
import { verifyExecutable } from './verify-executable.ts'
import { readVersionResource } from './version-resource.ts'
import { imagesInGroup, readIconImage } from './windows-icon.ts'

const maxVersionBytes = 64 * 1024
const maxImages = 4

/** Reads the version resource and the icon of a Windows executable or library, and verifies its signature. */
export async function inspectExecutable(source: ByteSource, content: ByteSource): Promise<Inspection> {
  const pe = await readPeFile(source)
  if (pe === undefined) return emptyInspection
  const resource = await orNull(readResource(pe, resourceType.version, { maxBytes: maxVersionBytes }))
  const version = resource === null ? null : parseOrNull(() => readVersionResource(resource))
  const text = (name: string) => cleanText(version?.strings.get(name))
  const signature = await verifyExecutable(pe, content)
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      format: 'pe',
      name: text('ProductName') ?? text('FileDescription'),
      version: text('ProductVersion') ?? version?.productVersion ?? null,
      build_number: text('FileVersion') ?? version?.fileVersion ?? null,
      publisher: text('CompanyName'),
      minimum_os: pe.subsystemVersion,
      signer: signerName(signature),
      signature_status: signature.status,
      architectures: pe.architecture === undefined ? [] : [pe.architecture],
      dependencies: await listImports(pe),
    },
    icon: await orNull(findIcon(pe)),
    debug_ids: await readDebugIds(source, { name: null, path: null }),
  }
}

async function findIcon(pe: PeFile): Promise<Icon | null> {
  const group = await readResource(pe, resourceType.groupIcon, { maxBytes: maxIconBytes })
  const ids = group === null ? [] : (parseOrNull(() => imagesInGroup(group)) ?? [])
  for (const id of ids.slice(0, maxImages)) {
    const image = await orNull(readResource(pe, resourceType.icon, { id, maxBytes: maxIconBytes }))
    const icon = image === null ? null : parseOrNull(() => readIconImage(image))
    if (icon !== null) return icon
  }
  return null
}
