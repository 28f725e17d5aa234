import { readProgramIds } from '../archives/zip-programs.ts'
import { openZip, type ZipArchive } from '../archives/zip.ts'
import { cleanText, orNull } from '../bytes.ts'
import { maxDebugIds, shownId } from '../debug-ids/read-archived-debug-ids.ts'
import { readIcon } from '../icon.ts'
import { maxIconBytes } from '../images/image.ts'
import {
  emptyInspection,
  InspectionError,
  unknownPackage,
  type ByteSource,
  type DebugId,
  type Icon,
  type Inspection,
  type PackageInfo,
} from '../inspection.ts'
import { signerName, stoppedWith, type Signature } from '../signatures/signature.ts'
import { childNamed, descendantsNamed, readXmlDocument, type XmlNode } from '../xml-document.ts'
import { verifyAppx } from './verify-appx.ts'

export const appxManifestPath = 'AppxManifest.xml'
export const bundleManifestPath = 'AppxMetadata/AppxBundleManifest.xml'

const maxManifestBytes = 4 * 2 ** 20
const maxPackageBytes = 256 * 2 ** 20
const maxIcons = 8
const maxDependencies = 100
const maxInnerPackages = 4
const damaged = 'The manifest of the app package is damaged.'

const architectures: Readonly<Record<string, string>> = {
  x86: 'x86',
  x64: 'x64',
  arm: 'armv7',
  arm64: 'arm64v8',
}

/** Reads the manifest and the icon of an app package for Windows (.appx, .msix), and verifies its signature. */
export async function inspectAppx(zip: ZipArchive, content: ByteSource): Promise<Inspection> {
  const { file_info, icon } = await describePackage(zip)
  const debugIds = await readProgramIds(zip, content)
  const signature = await verifyAppx(zip, content)
  return {
    ...emptyInspection,
    file_info: { ...file_info, ...signedBy(signature) },
    icon,
    debug_ids: debugIds,
  }
}

/**
 * Reads the manifest of a bundle (.appxbundle, .msixbundle), whose packages are for different architectures, and the name
 * and icon of its first application. Verifies the signature of the bundle.
 */
export async function inspectAppxBundle(zip: ZipArchive, content: ByteSource): Promise<Inspection> {
  const manifest = readXmlDocument(await zip.read(bundleManifestPath, maxManifestBytes), damaged)
  const applications = [...descendantsNamed(manifest, 'Package')].filter(
    ({ attributes }) => (attributes.get('Type') ?? 'application').toLowerCase() === 'application',
  )
  const fileName = applications[0]?.attributes.get('FileName')
  const application = fileName === undefined ? null : await orNull(describeInner(zip, fileName))
  const identity = identityOf(manifest)
  const debugIds = await readInnerIds(zip, content, applications)
  const signature = await verifyAppx(zip, content)
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      ...identity,
      name: application?.file_info.name ?? identity.name,
      publisher: application?.file_info.publisher ?? identity.publisher,
      minimum_os: application?.file_info.minimum_os ?? null,
      dependencies: application?.file_info.dependencies ?? [],
      ...signedBy(signature),
      format: 'appxbundle',
      architectures: [
        ...new Set(applications.flatMap(({ attributes }) => architecturesOf(attributes.get('Architecture')))),
      ],
    },
    icon: application?.icon ?? null,
    debug_ids: debugIds,
  }
}

/** Returns the IDs of the executables in the packages for different architectures. */
async function readInnerIds(zip: ZipArchive, content: ByteSource, packages: XmlNode[]): Promise<DebugId[]> {
  const ids: DebugId[] = []
  const names = packages.flatMap(({ attributes }) => attributes.get('FileName') ?? [])
  for (const name of new Set(names.slice(0, maxInnerPackages))) {
    const opened = await orNull(zip.open(name, maxPackageBytes))
    const inner = opened === null ? null : await orNull(openZip(opened))
    if (opened === null || inner === null) continue
    const found = await readProgramIds(inner, stoppedWith(content, opened))
    ids.push(...found.map((id) => shownId(id, `${name}/${id.path}`)))
  }
  return ids.slice(0, maxDebugIds)
}

const signedBy = (signature: Signature) => ({
  signer: signerName(signature),
  signature_status: signature.status,
})

async function describeInner(zip: ZipArchive, name: string) {
  return describePackage(await openZip(await zip.open(name, maxPackageBytes)))
}

async function describePackage(zip: ZipArchive): Promise<{ file_info: PackageInfo; icon: Icon | null }> {
  const manifest = readXmlDocument(await zip.read(appxManifestPath, maxManifestBytes), damaged)
  const properties = childNamed(manifest, 'Properties')
  const identity = identityOf(manifest)
  return {
    file_info: {
      ...unknownPackage,
      ...identity,
      format: 'appx',
      name: displayText(properties, 'DisplayName') ?? identity.name,
      publisher: displayText(properties, 'PublisherDisplayName') ?? identity.publisher,
      minimum_os: minimumSystem(manifest),
      architectures: architecturesOf(
        childNamed(manifest, 'Identity')?.attributes.get('ProcessorArchitecture'),
      ),
      dependencies: [...descendantsNamed(manifest, 'PackageDependency')]
        .slice(0, maxDependencies)
        .flatMap(({ attributes }) => cleanText(attributes.get('Name')) ?? []),
    },
    icon: await findIcon(zip, childNamed(properties, 'Logo')?.text.trim()),
  }
}

/** Throws `InspectionError` if the manifest does not name the package. */
function identityOf(manifest: XmlNode) {
  const identity = childNamed(manifest, 'Identity')?.attributes
  const name = cleanText(identity?.get('Name'))
  if (name === null) throw new InspectionError(damaged)
  return {
    name,
    version: cleanText(identity?.get('Version')),
    publisher: cleanText(identity?.get('Publisher')),
  }
}

/** Returns a text that users see. Texts in resource files, which have names such as `ms-resource:Name`, are not read. */
function displayText(properties: XmlNode | undefined, name: string): string | null {
  const text = cleanText(childNamed(properties, name)?.text)
  return text?.startsWith('ms-resource:') === true ? null : text
}

const architecturesOf = (name: string | undefined): string[] => {
  const architecture = architectures[name?.toLowerCase() ?? '']
  return architecture === undefined ? [] : [architecture]
}

/** Returns the oldest version of Windows. Manifests of Windows 8 state it in another element. */
function minimumSystem(manifest: XmlNode): string | null {
  const [family] = descendantsNamed(manifest, 'TargetDeviceFamily')
  const [prerequisite] = descendantsNamed(manifest, 'OSMinVersion')
  return cleanText(family?.attributes.get('MinVersion') ?? prerequisite?.text)
}

/** Returns the largest variant of the logo, whose names contain the scale, such as `Logo.scale-200.png`. */
async function findIcon(zip: ZipArchive, logo: string | undefined): Promise<Icon | null> {
  const path = logo?.replaceAll('\\', '/')
  const dot = path?.lastIndexOf('.') ?? -1
  if (path === undefined || dot < 0) return null
  // Names are escaped as in URLs.
  const prefixes = [path.slice(0, dot), encodeURI(path.slice(0, dot))].map((prefix) => prefix.toLowerCase())
  const extension = path.slice(dot).toLowerCase()
  const candidates = zip.names
    .filter((name) => name.toLowerCase().endsWith(extension))
    .filter((name) =>
      prefixes.some((prefix) =>
        /^(?:\.[^/]*)?$/.test(suffixOf(name.toLowerCase(), prefix, extension) ?? '/'),
      ),
    )
    .filter((name) => (zip.sizeOf(name) ?? 0) <= maxIconBytes)
    .toSorted((a, b) => (zip.sizeOf(b) ?? 0) - (zip.sizeOf(a) ?? 0))
  for (const name of candidates.slice(0, maxIcons)) {
    const bytes = await orNull(zip.read(name, maxIconBytes))
    const icon = bytes === null ? null : readIcon(bytes)
    if (icon !== null) return icon
  }
  return null
}

/** Returns what is between the prefix and the extension of a name, or undefined if it has another prefix. */
const suffixOf = (name: string, prefix: string, extension: string): string | undefined =>
  name.startsWith(prefix) && name.length >= prefix.length + extension.length
    ? name.slice(prefix.length, name.length - extension.length)
    : undefined
