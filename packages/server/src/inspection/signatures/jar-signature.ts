import { createHash } from 'node:crypto'
import type { ZipArchive } from '../archives/zip.ts'
import { parseOr } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'
import { readSections, type ManifestSection } from './manifest-sections.ts'
import { invalid, settleSignature, unsigned, UnsupportedSignature, type Signature } from './signature.ts'
import { certificatesOf, readSignedData, type Certificate } from './signed-data.ts'
import { isSignedBy } from './verify-signed-data.ts'

export const jarManifestPath = 'META-INF/MANIFEST.MF'
/** Android requires the extension in upper case, but Java does not. */
const apkSignatureBlock = /^META-INF\/[^/]+\.(?:RSA|DSA|EC)$/
const jarSignatureBlock = new RegExp(apkSignatureBlock, 'i')
/** Files in META-INF that cannot be signed, because they contain the signature. */
const signaturePart = /^META-INF\/(?:MANIFEST\.MF|SIG-[^/]*|[^/]+\.(?:SF|RSA|DSA|EC))$/i
/** The manifest and signature file of a signed archive list every file. */
const maxManifestBytes = 16 * 2 ** 20
const maxBlockBytes = 2 ** 20
const maxSigners = 4
const damaged = 'The JAR signature is damaged.'

/** The digests of the JAR specification that are still in use, strongest first. */
const digests = [
  ['sha-512', 'sha512'],
  ['sha-384', 'sha384'],
  ['sha-256', 'sha256'],
  ['sha1', 'sha1'],
  ['sha-1', 'sha1'],
] as const

export type JarRules = {
  /** Whether unsigned files are allowed in META-INF, and every signer must have signed the same files. */
  isApk: boolean
  /** The schemes of the APK signing block. The signature is invalid if it states that another scheme was removed. */
  blockSchemes?: readonly number[]
}

type JarSigner = { certificates: Certificate[]; signedNames: ReadonlySet<string> }

/**
 * Verifies the signature of a JAR file or app bundle, or of an APK with scheme v1. Every file must be signed. Reads the
 * content of the files from `content`.
 */
export async function verifyJarSignature(
  zip: ZipArchive,
  content: ByteSource,
  rules: JarRules,
): Promise<Signature> {
  let certificates: Certificate[] = []
  const verify = async (): Promise<Signature> => {
    const pattern = rules.isApk ? apkSignatureBlock : jarSignatureBlock
    const blocks = zip.names.filter((name) => pattern.test(name) && zip.has(signatureFileOf(name)))
    if (blocks.length === 0) return unsigned
    if (blocks.length > maxSigners) throw new UnsupportedSignature('The archive has too many signers.')
    const read = (name: string, maxBytes: number) => readSignedFile(zip, content, { name, maxBytes })
    const manifest = await read(jarManifestPath, maxManifestBytes)
    const [main, ...named] = parseOr(damaged, () => readSections(manifest))
    if (main === undefined) return invalid
    const sections = parseOr(damaged, () => sectionsByName(named))
    const signers: JarSigner[] = []
    for (const block of blocks.toSorted()) {
      const file = await read(signatureFileOf(block), maxManifestBytes)
      const message = await read(block, maxBlockBytes)
      signers.push(readSigner({ file, message }, { manifest, main, sections, rules }))
    }
    certificates = signers.flatMap((signer) => signer.certificates)
    const isComplete = signsEveryFile(zip, sections, signers, rules)
    return isComplete && (await hasSameFiles(zip, content, sections, rules))
      ? { status: 'valid', signers: certificates }
      : invalid
  }
  return settleSignature(verify(), () => certificates)
}

const signatureFileOf = (block: string): string => block.replace(/\.[^.]+$/, '.SF')

/** Returns the sections by name. Throws a RangeError if a section has no name or the name of another section. */
function sectionsByName(sections: ManifestSection[]): Map<string, ManifestSection> {
  const named = new Map<string, ManifestSection>()
  for (const section of sections) {
    if (section.name === undefined || named.has(section.name))
      throw new RangeError('A section has no unique name.')
    named.set(section.name, section)
  }
  return named
}

type SignedManifest = {
  manifest: Buffer
  main: ManifestSection
  sections: ReadonlyMap<string, ManifestSection>
  rules: JarRules
}

/** Reads a file of at most `maxBytes`. Its headers in the archive must agree. */
async function readSignedFile(
  zip: ZipArchive,
  content: ByteSource,
  { name, maxBytes }: { name: string; maxBytes: number },
): Promise<Buffer> {
  if ((zip.sizeOf(name) ?? 0) > maxBytes) throw new InspectionError(damaged)
  const chunks: Buffer[] = []
  for await (const chunk of zip.stream(name, content)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Verifies the signature of a signature file, and its digests of the manifest. */
function readSigner(
  { file, message: bytes }: { file: Buffer; message: Buffer },
  signed: SignedManifest,
): JarSigner {
  return parseOr(damaged, () => {
    const message = readSignedData(bytes, damaged)
    const [main, ...named] = readSections(file)
    const isValid =
      main !== undefined &&
      isSignedBy(message, file) &&
      main.attributes.has('signature-version') &&
      hasAllSchemes(main, signed.rules) &&
      hasDigests(main, named, signed)
    if (!isValid) throw new InspectionError('The JAR signature does not match.')
    return {
      certificates: certificatesOf(message),
      signedNames: new Set(named.flatMap(({ name }) => name ?? [])),
    }
  })
}

/** Returns whether the APK still has the newer signatures with which it was signed. */
function hasAllSchemes({ attributes }: ManifestSection, { isApk, blockSchemes = [] }: JarRules): boolean {
  const stated = attributes.get('x-android-apk-signed')
  if (!isApk || stated === undefined) return true
  const known = stated.split(',').map(Number)
  return known.every((scheme) => (scheme !== 2 && scheme !== 3) || blockSchemes.includes(scheme))
}

/** Returns whether a signature file has the digest of the whole manifest or of each of its sections. */
function hasDigests(
  main: ManifestSection,
  named: readonly ManifestSection[],
  signed: SignedManifest,
): boolean {
  if (matchesDigest(main, '-digest-manifest', signed.manifest) === true) return true
  return (
    matchesDigest(main, '-digest-manifest-main-attributes', signed.main.bytes) !== false &&
    named.every((section) => {
      const found = section.name === undefined ? undefined : signed.sections.get(section.name)
      return found !== undefined && matchesDigest(section, '-digest', found.bytes) === true
    })
  )
}

/** Returns whether the strongest digest in a section matches, or undefined if the section has no such digest. */
function matchesDigest(section: ManifestSection, suffix: string, bytes: Buffer): boolean | undefined {
  const digest = findDigest(section, suffix)
  return digest && createHash(digest.algorithm).update(bytes).digest('base64') === digest.value
}

function findDigest({ attributes }: ManifestSection, suffix: string) {
  for (const [name, algorithm] of digests) {
    const value = attributes.get(`${name}${suffix}`)
    if (value !== undefined) return { algorithm, value: value.trim() }
  }
  return undefined
}

const isExempt = (name: string, isApk: boolean): boolean =>
  signaturePart.test(name) || (isApk && name.startsWith('META-INF/'))

/** Returns whether the signers have signed every file that must be signed. */
function signsEveryFile(
  zip: ZipArchive,
  sections: ReadonlyMap<string, ManifestSection>,
  signers: readonly JarSigner[],
  { isApk }: JarRules,
): boolean {
  return zip.names.every((name) => {
    if (name.endsWith('/') || isExempt(name, isApk)) return true
    const signedName = zip.utf8NameOf(name)
    const isSigned = ({ signedNames }: JarSigner) => signedNames.has(signedName)
    const section = sections.get(signedName)
    return (
      section !== undefined &&
      findDigest(section, '-digest') !== undefined &&
      (isApk ? signers.every(isSigned) : signers.some(isSigned))
    )
  })
}

/** Returns whether the archive contains every file in the manifest with the same content. */
async function hasSameFiles(
  zip: ZipArchive,
  content: ByteSource,
  sections: ReadonlyMap<string, ManifestSection>,
  { isApk }: JarRules,
): Promise<boolean> {
  const names = new Map(zip.names.map((name) => [zip.utf8NameOf(name), name]))
  for (const [signedName, section] of sections) {
    const digest = findDigest(section, '-digest')
    const name = names.get(signedName)
    if (digest === undefined || isExempt(signedName, isApk)) continue
    if (name === undefined) return false
    const hash = createHash(digest.algorithm)
    for await (const chunk of zip.stream(name, content)) hash.update(chunk)
    if (hash.digest('base64') !== digest.value) return false
  }
  return true
}
