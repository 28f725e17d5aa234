import { decompress } from '../archives/decompress.ts'
import { cleanText, orNull, parseOr, readBytes } from '../bytes.ts'
import { readIcon } from '../icon.ts'
import {
  emptyInspection,
  InspectionError,
  unknownPackage,
  type ByteSource,
  type Inspection,
} from '../inspection.ts'
import { childNamed, descendantsNamed, readXmlDocument, type XmlNode } from '../xml-document.ts'
import { linuxArchitectures } from './architectures.ts'
import { bytesIn, readDictionary, readOffset, textIn } from './gvariant.ts'
import { readKeyFile } from './key-file.ts'

const damaged = 'The Flatpak bundle is damaged.'
const maxMetadataBytes = 16 * 2 ** 20
const maxAppdataBytes = 16 * 2 ** 20

/**
 * Reads the metadata and the icon of a Flatpak bundle, an OSTree static delta. The metadata is a dictionary at its start,
 * whose end the last bytes of the file state.
 */
export async function inspectFlatpak(source: ByteSource): Promise<Inspection> {
  const tailBytes = Math.min(8, source.sizeBytes)
  const tail = await readBytes(source, source.sizeBytes - tailBytes, tailBytes, damaged)
  const length = parseOr(damaged, () => readOffset(tail, source.sizeBytes))
  if (length > maxMetadataBytes) throw new InspectionError(damaged)
  const bytes = await readBytes(source, 0, length, damaged)
  const metadata = parseOr(damaged, () => readDictionary(bytes))
  const [kind, id, architecture, branch] = (textIn(metadata.get('ref')) ?? '').split('/')
  const application = readKeyFile(
    textIn(metadata.get('metadata')) ?? '',
    kind === 'runtime' ? 'Runtime' : 'Application',
  )
  const component = await findComponent(bytesIn(metadata.get('appdata')))
  const icon = bytesIn(metadata.get('icon-128')) ?? bytesIn(metadata.get('icon-64'))
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      format: 'flatpak',
      name: textOf(component, 'name') ?? cleanText(id),
      version: versionOf(component) ?? cleanText(kind === 'runtime' ? branch : null),
      publisher: publisherOf(component),
      architectures: linuxArchitectures(architecture),
      dependencies: [cleanText(application.get('runtime'))].filter((name) => name !== null),
    },
    icon: icon === undefined ? null : readIcon(icon),
  }
}

/** Returns the first component in the compressed AppStream metadata of the bundle. */
async function findComponent(appdata: Buffer | undefined): Promise<XmlNode | undefined> {
  if (appdata === undefined) return undefined
  const xml = await orNull(decompress(appdata, 'gz', { maxBytes: maxAppdataBytes, reason: damaged }))
  const root =
    xml === null ? null : await orNull(Promise.resolve(xml).then((bytes) => readXmlDocument(bytes, damaged)))
  if (root === null) return undefined
  return root.name === 'component' ? root : childNamed(root, 'component')
}

/** Returns the text of the element without a language. */
function textOf(node: XmlNode | undefined, name: string): string | null {
  const found = node?.children.find((child) => child.name === name && !child.attributes.has('lang'))
  return cleanText(found?.text)
}

function versionOf(component: XmlNode | undefined): string | null {
  const [release] = descendantsNamed(childNamed(component, 'releases'), 'release')
  return cleanText(release?.attributes.get('version'))
}

const publisherOf = (component: XmlNode | undefined): string | null =>
  textOf(childNamed(component, 'developer'), 'name') ?? textOf(component, 'developer_name')
