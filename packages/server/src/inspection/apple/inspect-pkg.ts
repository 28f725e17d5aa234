import { cleanText, orNull } from '../bytes.ts'
import { macArchitectures } from '../executables/inspect-mach-o.ts'
import { emptyInspection, unknownPackage, type ByteSource, type Inspection } from '../inspection.ts'
import { signerName } from '../signatures/signature.ts'
import { childNamed, descendantsNamed, readXmlDocument, type XmlNode } from '../xml-document.ts'
import { openXar, type XarArchive } from './xar.ts'

const maxDocumentBytes = 8 * 2 ** 20
const maxPackages = 64
const damaged = 'The installer package is damaged.'

const architectures: Readonly<Record<string, string>> = {
  x86_64: 'x64',
  arm64: 'arm64v8',
  i386: 'x86',
  ppc: 'ppc',
}

/**
 * Reads the metadata of an installer package for macOS (.pkg), and verifies its signature. A product contains a
 * Distribution, which describes it, and a folder for each component, whose PackageInfo states its identifier and version.
 */
export async function inspectPkg(source: ByteSource, content: ByteSource): Promise<Inspection> {
  const archive = await openXar(source)
  const distribution = await readDocument(archive, 'Distribution')
  const paths = archive.paths.filter((path) => /^(?:[^/]+\/)?PackageInfo$/.test(path))
  const components: XmlNode[] = []
  for (const path of paths.slice(0, maxPackages)) {
    const component = await orNull(readDocument(archive, path))
    if (component?.name === 'pkg-info') components.push(component)
  }
  const [first] = components
  // Other XAR archives exist, such as those of Safari extensions.
  if (distribution === undefined && first === undefined) return emptyInspection
  const signature = await archive.verify(content)
  const reference = mainReference(distribution, first)
  const product = childNamed(distribution, 'product')?.attributes
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      format: 'pkg',
      name: titleOf(distribution) ?? cleanText(product?.get('id') ?? reference.identifier),
      version: cleanText(product?.get('version') ?? reference.version),
      minimum_os: minimumSystem(distribution),
      signer: signerName(signature),
      signature_status: signature.status,
      architectures: architecturesOf(distribution),
      dependencies: components.flatMap(({ attributes }) => {
        const text = [attributes.get('identifier'), attributes.get('version')].filter(Boolean).join(' ')
        return distribution === undefined ? [] : (cleanText(text) ?? [])
      }),
    },
  }
}

async function readDocument(archive: XarArchive, path: string): Promise<XmlNode | undefined> {
  if (!archive.paths.includes(path)) return undefined
  return readXmlDocument(await archive.read(path, maxDocumentBytes), damaged)
}

/** Returns the title unless it is the key of a text in another file. */
function titleOf(distribution: XmlNode | undefined): string | null {
  const title = cleanText(childNamed(distribution, 'title')?.text)
  return title === null || /^[A-Z_]+$/.test(title) ? null : title
}

function mainReference(distribution: XmlNode | undefined, component: XmlNode | undefined) {
  const reference = [...descendantsNamed(distribution, 'pkg-ref')].find(({ attributes }) =>
    attributes.has('version'),
  )
  return {
    identifier: component?.attributes.get('identifier') ?? reference?.attributes.get('id'),
    version: component?.attributes.get('version') ?? reference?.attributes.get('version'),
  }
}

function minimumSystem(distribution: XmlNode | undefined): string | null {
  for (const versions of descendantsNamed(distribution, 'allowed-os-versions')) {
    const minimum = cleanText(childNamed(versions, 'os-version')?.attributes.get('min'))
    if (minimum !== null) return `macOS ${minimum}`
  }
  return null
}

function architecturesOf(distribution: XmlNode | undefined): string[] {
  const names = childNamed(distribution, 'options')?.attributes.get('hostArchitectures')?.split(',') ?? []
  return macArchitectures(names.flatMap((name) => architectures[name.trim()] ?? []))
}
