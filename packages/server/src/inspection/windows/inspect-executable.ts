import { maxIconBytes } from '../../formats/image.ts'
import { cleanText, orNull, parseOrNull, readBytes } from '../bytes.ts'
import { emptyInspection, type ByteSource, type Icon, type Inspection } from '../inspection.ts'
import { readSignedData, type Certificate } from '../signatures/signed-data.ts'
import { readPeFile, type PeFile } from './pe-file.ts'
import { readResource, resourceType } from './pe-resources.ts'
import { readVersionResource } from './version-resource.ts'
import { imagesInGroup, readIconImage } from './windows-icon.ts'

const maxVersionBytes = 64 * 1024
const maxCertificateBytes = 4 * 2 ** 20
const maxImages = 4
const pkcs7Certificate = 2

/** Reads the version resource, the signer and the icon of a Windows executable or library. */
export async function inspectExecutable(source: ByteSource): Promise<Inspection> {
  const pe = await readPeFile(source)
  if (pe === undefined) return emptyInspection
  const resource = await orNull(readResource(pe, resourceType.version, { maxBytes: maxVersionBytes }))
  const version = resource === null ? null : parseOrNull(() => readVersionResource(resource))
  const text = (name: string) => cleanText(version?.strings.get(name))
  const signer = await orNull(findSigner(pe))
  return {
    ...emptyInspection,
    file_info: {
      format: 'pe',
      name: text('ProductName') ?? text('FileDescription'),
      version: text('ProductVersion') ?? version?.productVersion ?? null,
      build_number: text('FileVersion') ?? version?.fileVersion ?? null,
      publisher: text('CompanyName'),
      minimum_os: pe.subsystemVersion,
      signer: cleanText(signer?.commonName ?? signer?.organization),
      architectures: pe.architecture === undefined ? [] : [pe.architecture],
    },
    icon: await orNull(findIcon(pe)),
  }
}

/** Returns the certificate of the Authenticode signature, or null if the file is not signed. */
async function findSigner({ source, certificates }: PeFile): Promise<Certificate | null> {
  const reason = 'The signature of the Windows executable is damaged.'
  const length = Math.min(certificates.sizeBytes, maxCertificateBytes)
  if (certificates.address === 0 || length < 8) return null
  const bytes = await readBytes(source, certificates.address, length, reason)
  if (bytes.readUInt16LE(6) !== pkcs7Certificate) return null
  return readSignedData(bytes.subarray(8), reason).signer
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
