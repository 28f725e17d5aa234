import { createHash, verify } from 'node:crypto'
import { decompress } from '../archives/decompress.ts'
import { parseOr, readBytes, readUint64 } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'
import {
  settleSignature,
  unsigned,
  invalid,
  UnsupportedSignature,
  type Signature,
} from '../signatures/signature.ts'
import { readCertificate, type Certificate } from '../signatures/signed-data.ts'
import { childNamed, descendantsNamed, readXmlDocument, type XmlNode } from '../xml-document.ts'

const damaged = 'The installer package is damaged.'
const headerBytes = 28
const maxTableBytes = 64 * 2 ** 20
const chunkBytes = 2 ** 20

/** A file in an archive: the position of its content after compression, relative to the heap, and its checksum. */
type XarFile = {
  offset: number
  storedBytes: number
  sizeBytes: number
  encoding: string
  checksum: { algorithm: string; digest: string } | undefined
}

export interface XarArchive {
  readonly paths: string[]
  read(path: string, maxBytes: number): Promise<Buffer>
  /** Verifies the signature of the table and the checksums of all files in it. */
  verify(content: ByteSource): Promise<Signature>
}

/** Opens a XAR archive, the format of installer packages for macOS: a header, a table of contents in XML, and a heap. */
export async function openXar(source: ByteSource): Promise<XarArchive> {
  const header = await readBytes(source, 0, headerBytes, damaged)
  const [tableAt, storedBytes, tableBytes] = parseOr(damaged, () => [
    header.readUInt16BE(4),
    readUint64(header, 8, 'BE'),
    readUint64(header, 16, 'BE'),
  ]) as [number, number, number]
  if (Math.max(storedBytes, tableBytes) > maxTableBytes || tableAt < headerBytes)
    throw new InspectionError(damaged)
  const stored = await readBytes(source, tableAt, storedBytes, damaged)
  const xml = await decompress(stored, 'zlib', { maxBytes: Math.max(tableBytes, 1), reason: damaged })
  const table = childNamed(readXmlDocument(xml, damaged), 'toc')
  const files = new Map<string, XarFile>()
  for (const child of table?.children ?? []) if (child.name === 'file') collectFiles(child, '', files)
  const heap = tableAt + storedBytes
  return {
    paths: [...files.keys()],
    async read(path, maxBytes) {
      const file = files.get(path)
      if (file === undefined || Math.max(file.storedBytes, file.sizeBytes) > maxBytes)
        throw new InspectionError(damaged)
      const bytes = await readBytes(source, heap + file.offset, file.storedBytes, damaged)
      // Despite its name, this encoding is that of zlib.
      const isZlib = file.encoding === 'application/x-gzip'
      if (!isZlib && file.encoding !== 'application/octet-stream')
        throw new InspectionError('The installer package is compressed with an unsupported method.')
      return decompress(bytes, isZlib ? 'zlib' : 'none', { maxBytes, reason: damaged })
    },
    verify: (content) => verifyXar(content, { table, stored, heap, files }),
  }
}

/** Adds the files in a folder by their paths. The XML reader limits the depth. */
function collectFiles(node: XmlNode, folder: string, files: Map<string, XarFile>): void {
  const path = `${folder}${childNamed(node, 'name')?.text ?? ''}`
  const data = childNamed(node, 'data')
  if (data !== undefined) {
    const checksum = childNamed(data, 'archived-checksum')
    files.set(path, {
      offset: numberIn(data, 'offset'),
      storedBytes: numberIn(data, 'length'),
      sizeBytes: numberIn(data, 'size'),
      encoding: childNamed(data, 'encoding')?.attributes.get('style') ?? 'application/octet-stream',
      checksum: checksum && {
        algorithm: checksum.attributes.get('style')?.toLowerCase() ?? '',
        digest: checksum.text.trim().toLowerCase(),
      },
    })
  }
  for (const child of node.children) if (child.name === 'file') collectFiles(child, `${path}/`, files)
}

function numberIn(node: XmlNode | undefined, name: string): number {
  const value = Number(childNamed(node, name)?.text.trim() ?? Number.NaN)
  if (!Number.isSafeInteger(value) || value < 0) throw new InspectionError(damaged)
  return value
}

type Contents = {
  table: XmlNode | undefined
  stored: Buffer
  heap: number
  files: ReadonlyMap<string, XarFile>
}

const digestAlgorithms = new Set(['sha1', 'sha256', 'sha512'])

async function verifyXar(content: ByteSource, { table, stored, heap, files }: Contents): Promise<Signature> {
  let signers: Certificate[] = []
  const verifyContent = async (): Promise<Signature> => {
    const signature = childNamed(table, 'signature')
    if (signature === undefined) return unsigned
    const checksum = childNamed(table, 'checksum')
    const algorithm = checksum?.attributes.get('style')?.toLowerCase() ?? ''
    if (signature.attributes.get('style') !== 'RSA' || !digestAlgorithms.has(algorithm))
      throw new UnsupportedSignature('The signature uses an unsupported algorithm.')
    const range = [heap + numberIn(signature, 'offset'), numberIn(signature, 'size')] as const
    const bytes = await readBytes(content, ...range, damaged)
    const digest = await readBytes(
      content,
      heap + numberIn(checksum, 'offset'),
      numberIn(checksum, 'size'),
      damaged,
    )
    const [encoded] = descendantsNamed(signature, 'X509Certificate')
    const certificate = parseOr(damaged, () => readCertificate(Buffer.from(encoded?.text ?? '', 'base64')))
    const isTableSigned =
      createHash(algorithm).update(stored).digest().equals(digest) &&
      isSigned(algorithm, stored, bytes, certificate)
    if (!isTableSigned) return invalid
    signers = [certificate]
    for (const file of files.values()) if (!(await matches(content, heap, file))) return invalid
    return { status: 'valid', signers }
  }
  return settleSignature(verifyContent(), () => signers)
}

function isSigned(algorithm: string, table: Buffer, signature: Buffer, { publicKey }: Certificate): boolean {
  try {
    return verify(algorithm, table, { key: publicKey, format: 'der', type: 'spki' }, signature)
  } catch {
    // OpenSSL rejects malformed keys and signatures.
    return false
  }
}

async function matches(content: ByteSource, heap: number, file: XarFile): Promise<boolean> {
  const { checksum, offset, storedBytes } = file
  if (checksum === undefined || !digestAlgorithms.has(checksum.algorithm)) return false
  const hash = createHash(checksum.algorithm)
  for (let at = 0; at < storedBytes; at += chunkBytes)
    hash.update(await readBytes(content, heap + offset + at, Math.min(chunkBytes, storedBytes - at), damaged))
  return hash.digest('hex') === checksum.digest
}
