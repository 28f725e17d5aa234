import { createHash } from 'node:crypto'
import { readProgramIds } from '../archives/zip-programs.ts'
import type { ZipArchive } from '../archives/zip.ts'
import { cleanText, orNull, parseOr, readBytes } from '../bytes.ts'
import { readIcon } from '../icon.ts'
import { maxIconBytes } from '../images/image.ts'
import {
  emptyInspection,
  InspectionError,
  unknownPackage,
  type ByteSource,
  type Icon,
  type Inspection,
} from '../inspection.ts'
import {
  invalid,
  settleSignature,
  signerName,
  unsigned,
  UnsupportedSignature,
  type Signature,
} from '../signatures/signature.ts'
import { certificatesOf, contentOf, readSignedData, type Certificate } from '../signatures/signed-data.ts'
import { readUnsignedArchive } from '../signatures/unsigned-archive.ts'
import { digestNames, isSignedBy } from '../signatures/verify-signed-data.ts'
import { childNamed, descendantsNamed, readXmlDocument, type XmlNode } from '../xml-document.ts'

const signaturePath = '.signature.p7s'
const maxNuspecBytes = 2 ** 20
const maxSignatureBytes = 4 * 2 ** 20
const maxDependencies = 200
const chunkBytes = 2 ** 20
const damaged = 'The manifest of the NuGet package is damaged.'
const damagedSignature = 'The signature of the NuGet package is damaged.'

/** Returns the path of the manifest, which is in the outermost folder, or undefined for other archives. */
export const findNuspec = (zip: ZipArchive): string | undefined =>
  zip.has('[Content_Types].xml') ? zip.names.find((name) => /^[^/]+\.nuspec$/i.test(name)) : undefined

/** Reads the manifest and the icon of a NuGet package, and verifies its author or repository signature. */
export async function inspectNupkg(zip: ZipArchive, path: string, content: ByteSource): Promise<Inspection> {
  const metadata = childNamed(readXmlDocument(await zip.read(path, maxNuspecBytes), damaged), 'metadata')
  const text = (name: string) => cleanText(childNamed(metadata, name)?.text)
  if (text('id') === null) throw new InspectionError(damaged)
  const debugIds = await readProgramIds(zip, content)
  const signature = await verify(zip, content)
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      format: 'nupkg',
      name: text('id'),
      version: text('version'),
      publisher: text('authors') ?? text('owners'),
      signer: signerName(signature),
      signature_status: signature.status,
      dependencies: dependenciesOf(metadata),
    },
    icon: await findIcon(zip, text('icon')),
    debug_ids: debugIds,
  }
}

/** Returns the packages that some target framework requires, such as `Newtonsoft.Json 13.0.1`. */
function dependenciesOf(metadata: XmlNode | undefined): string[] {
  const found = new Set<string>()
  for (const { attributes } of descendantsNamed(childNamed(metadata, 'dependencies'), 'dependency')) {
    const name = cleanText([attributes.get('id'), attributes.get('version')].filter(Boolean).join(' '))
    if (name !== null && found.size < maxDependencies) found.add(name)
  }
  return [...found]
}

async function findIcon(zip: ZipArchive, path: string | null): Promise<Icon | null> {
  const name = path?.replaceAll('\\', '/')
  const bytes = name !== undefined && zip.has(name) ? await orNull(zip.read(name, maxIconBytes)) : null
  return bytes === null ? null : readIcon(bytes)
}

/** Verifies the signature, a CMS message that contains the digest of the archive without the signature. */
async function verify(zip: ZipArchive, content: ByteSource): Promise<Signature> {
  let signers: Certificate[] = []
  const verifyContent = async (): Promise<Signature> => {
    if (!zip.has(signaturePath)) return unsigned
    const message = readSignedData(await zip.read(signaturePath, maxSignatureBytes), damagedSignature)
    const signed = parseOr(damagedSignature, () => contentOf(message))
    if (signed === null || !isSignedBy(message, signed)) return invalid
    signers = certificatesOf(message)
    const archive = await readUnsignedArchive(content, signaturePath)
    const { algorithm, digest } = digestIn(signed.toString('utf8'))
    if (archive === undefined) return invalid
    const hash = createHash(algorithm)
    for (let at = 0; at < archive.dataBytes; at += chunkBytes)
      hash.update(
        await readBytes(content, at, Math.min(chunkBytes, archive.dataBytes - at), damagedSignature),
      )
    return hash.update(archive.directory).digest().equals(digest) ? { status: 'valid', signers } : invalid
  }
  return settleSignature(verifyContent(), () => signers)
}

/** Reads the signed text, which names the digest algorithm by its object identifier. */
function digestIn(text: string): { algorithm: string; digest: Buffer } {
  const [, oid = '', digest = ''] = /^([\d.]+)-Hash:([A-Za-z0-9+/=]+)\r?$/m.exec(text) ?? []
  const algorithm = digestNames[oids[oid] ?? '']
  if (algorithm === undefined) throw new UnsupportedSignature('The signature uses an unsupported algorithm.')
  return { algorithm, digest: Buffer.from(digest, 'base64') }
}

const oids: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': '608648016503040201',
  '2.16.840.1.101.3.4.2.2': '608648016503040202',
  '2.16.840.1.101.3.4.2.3': '608648016503040203',
}
