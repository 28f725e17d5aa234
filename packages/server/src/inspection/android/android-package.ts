import type { ZipArchive } from '../archives/zip.ts'
import { cleanText, orNull, parseOrNull } from '../bytes.ts'
import { readIcon } from '../icon.ts'
import { maxIconBytes } from '../images/image.ts'
import {
  emptyInspection,
  unknownPackage,
  type AndroidInfo,
  type ByteSource,
  type Icon,
  type Inspection,
  type PackageInfo,
} from '../inspection.ts'
import { signerName, type Signature } from '../signatures/signature.ts'
import { readAndroidDebugIds } from './android-debug-ids.ts'
import { abiArchitecture } from './architectures.ts'
import { listFiles, resolveBoolean, resolveInteger, resolveText, type ResourceTable } from './resources.ts'
import { androidAttribute, childrenNamed, type ResourceValue, type XmlElement } from './xml-element.ts'

/** The parsed contents of an APK or app bundle, independent of their encoding. */
export type AndroidPackage = {
  format: 'apk' | 'aab'
  manifest: XmlElement
  resources: ResourceTable | null
  /** Verifies the signature on versions of Android from this API level on. */
  verify: (minimumApi: number) => Promise<Signature>
  zip: ZipArchive
  source: ByteSource
  /** Parses an XML file of the package. */
  readXml: (bytes: Buffer) => XmlElement
  /** The folder of resources and libraries in the archive: empty, or with a trailing slash. */
  folder: string
}

const maxXmlBytes = 2 ** 20
const maxPermissions = 1_000
const maxIconDepth = 3
const maxIconFiles = 20
const maxDrawables = 5

/** Returns the metadata in the manifest, resources and signature of a package. */
export async function describeAndroidPackage(found: AndroidPackage): Promise<Inspection> {
  const { manifest, resources } = found
  const [application] = childrenNamed(manifest, 'application')
  const minimumApi = readMinimumApi(manifest, resources)
  const debugIds = await readAndroidDebugIds(found.zip, found.source, found.folder)
  const signature = await found.verify(minimumApi ?? 1)
  const info = readInfo(manifest, application, resources, signature)
  return {
    ...emptyInspection,
    android_info: info,
    file_info: {
      ...unknownPackage,
      format: found.format,
      name: cleanText(resolveText(attribute(application, 'label'), resources)),
      version: info.version_name,
      build_number: info.version_code === null ? null : String(info.version_code),
      publisher: null,
      minimum_os: info.minimum_api === null ? null : `API ${info.minimum_api}`,
      signer: signerName(signature),
      signature_status: signature.status,
      architectures: architecturesOf(found),
    } satisfies PackageInfo,
    icon: await findIcon(found, application),
    debug_ids: debugIds,
  }
}

function readMinimumApi(manifest: XmlElement, resources: ResourceTable | null): number | null {
  const [sdk] = childrenNamed(manifest, 'uses-sdk')
  return resolveInteger(attribute(sdk, 'minSdkVersion'), resources)
}

function readInfo(
  manifest: XmlElement,
  application: XmlElement | undefined,
  resources: ResourceTable | null,
  { status, signers }: Signature,
): AndroidInfo {
  const [sdk] = childrenNamed(manifest, 'uses-sdk')
  const name = manifest.attributes.get('package')
  return {
    package_name: cleanText(resolveText(name, resources)),
    minimum_api: readMinimumApi(manifest, resources),
    target_api: resolveInteger(attribute(sdk, 'targetSdkVersion'), resources),
    version_name: cleanText(resolveText(attribute(manifest, 'versionName'), resources)),
    version_code: versionCodeOf(manifest, resources),
    is_debuggable: resolveBoolean(attribute(application, 'debuggable'), resources),
    package_signed: status === 'valid',
    signing_cert_sha256: signers[0]?.sha256 ?? null,
    permissions: permissionsOf(manifest, resources),
  }
}

function attribute(
  element: XmlElement | undefined,
  name: keyof typeof androidAttribute,
): ResourceValue | undefined {
  return element?.attributes.get(androidAttribute[name])
}

/** Returns the version code, with `versionCodeMajor` as its upper 32 bits. Returns null if it exceeds 2^53 - 1. */
function versionCodeOf(manifest: XmlElement, resources: ResourceTable | null): number | null {
  const code = resolveInteger(attribute(manifest, 'versionCode'), resources)
  const major = resolveInteger(attribute(manifest, 'versionCodeMajor'), resources) ?? 0
  if (code === null) return null
  const long = major * 2 ** 32 + (code >>> 0)
  return Number.isSafeInteger(long) ? long : null
}

function permissionsOf(manifest: XmlElement, resources: ResourceTable | null): string[] {
  const elements = manifest.children.filter(({ name }) => /^uses-permission(-sdk-23)?$/.test(name))
  const names = elements
    .slice(0, maxPermissions)
    .map((element) => cleanText(resolveText(attribute(element, 'name'), resources)))
  return [...new Set(names.filter((name) => name !== null))]
}

function architecturesOf({ zip, folder }: AndroidPackage): string[] {
  const found = new Set<string>()
  for (const name of zip.names) {
    if (!name.startsWith(`${folder}lib/`)) continue
    const architecture = abiArchitecture(name.slice(folder.length + 4).split('/', 1)[0] ?? '')
    if (architecture !== undefined) found.add(architecture)
  }
  return [...found].toSorted()
}

/** Returns the icon of the application, or null if it has none or only vector graphics. */
async function findIcon(found: AndroidPackage, application: XmlElement | undefined): Promise<Icon | null> {
  for (const name of ['icon', 'roundIcon'] as const) {
    const icon = await orNull(findBitmap(found, attribute(application, name), 0))
    if (icon !== null) return icon
  }
  return null
}

/**
 * Returns the bitmap with the highest density among the values of a resource. If all values are XML drawables, such as
 * adaptive icons, returns a bitmap that they refer to, preferably the foreground.
 */
async function findBitmap(
  found: AndroidPackage,
  value: ResourceValue | undefined,
  depth: number,
): Promise<Icon | null> {
  const paths = listFiles(value, found.resources).slice(0, maxIconFiles)
  const documents: XmlElement[] = []
  for (const path of paths) {
    const bytes = await orNull(found.zip.read(`${found.folder}${path}`, maxIconBytes))
    if (bytes === null) continue
    const icon = readIcon(bytes)
    if (icon !== null) return icon
    const document = bytes.length > maxXmlBytes ? null : parseOrNull(() => found.readXml(bytes))
    if (document !== null) documents.push(document)
  }
  if (depth >= maxIconDepth) return null
  for (const document of documents) {
    for (const drawable of drawablesOf(document)) {
      const icon = await findBitmap(found, drawable, depth + 1)
      if (icon !== null) return icon
    }
  }
  return null
}

/** Returns the drawables that an adaptive icon, a layer list or a similar document refers to, foreground first. */
function drawablesOf(document: XmlElement): ResourceValue[] {
  const children = document.children.toSorted(
    (a, b) => Number(b.name === 'foreground') - Number(a.name === 'foreground'),
  )
  return [document, ...children, ...children.flatMap((child) => child.children)]
    .flatMap((element) => attribute(element, 'drawable') ?? attribute(element, 'source') ?? [])
    .slice(0, maxDrawables)
}
