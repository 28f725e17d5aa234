import { createHash } from 'node:crypto'
import { parseOr, parseOrNull } from '../bytes.ts'
import { childOf, childrenOf, derTag, octetsOf, oidOf, readDer, type DerElement } from './der.ts'

const signedDataOid = '2a864886f70d010702'
const maxCertificates = 200
const maxSigners = 8
const oids = {
  commonName: '550403',
  organization: '55040a',
} as const

/** The identifying fields of a certificate. */
export type Certificate = {
  sha256: string
  commonName: string | null
  organization: string | null
  /** The public key with its algorithm, as SubjectPublicKeyInfo in DER. */
  publicKey: Buffer
  /** A hash of the issuer and the serial number, which identify the certificate in a signature. */
  reference: string
}

/** A signer of a message. `info` is its SignerInfo. The certificate is null if the message does not contain it. */
export type Signer = { certificate: Certificate | null; info: DerElement }

/** A signed CMS message (RFC 5652, section 5). `isSignedBy` verifies its signatures. */
export type SignedData = {
  /** The object identifier of the type of the content, in hexadecimal. */
  contentType: string
  /** The signed content, or null if the signature is detached. */
  content: DerElement | null
  signers: Signer[]
}

/** Reads a CMS message. Throws `InspectionError` with the reason if the bytes are not a signed message. */
export function readSignedData(bytes: Buffer, reason: string): SignedData {
  return parseOr(reason, () => {
    const message = readDer(bytes)
    if (oidOf(childOf(message, 0)) !== signedDataOid) throw new RangeError('The message is not signed.')
    const parts = childrenOf(childOf(childOf(message, 1, derTag.context0), 0, derTag.sequence))
    const [, , encapsulated, ...others] = parts
    if (encapsulated === undefined) throw new RangeError('The message has no content.')
    const content = childrenOf(encapsulated)[1]
    const certificates = others.find(({ tag }) => tag === derTag.context0)
    const signers = others.findLast(({ tag }) => tag === derTag.set)
    const infos = signers === undefined ? [] : childrenOf(signers)
    if (infos.length > maxSigners) throw new RangeError('The message has too many signers.')
    const candidates = certificates === undefined ? [] : readCertificates(certificates)
    return {
      contentType: oidOf(childOf(encapsulated, 0)),
      content: content === undefined ? null : childOf(content, 0),
      signers: infos.map((info) => ({ certificate: findCertificate(info, candidates), info })),
    }
  })
}

/** Returns the certificates of the signers. */
export const certificatesOf = ({ signers }: SignedData): Certificate[] =>
  signers.flatMap(({ certificate }) => certificate ?? [])

/** Returns the bytes of the signed content, which must be an octet string, or null if the signature is detached. */
export function contentOf({ content }: SignedData): Buffer | null {
  return content === null ? null : octetsOf(content)
}

function readCertificates(certificates: DerElement): Certificate[] {
  const found = childrenOf(certificates).filter(({ tag }) => tag === derTag.sequence)
  if (found.length > maxCertificates) throw new RangeError('The message has too many certificates.')
  return found.flatMap(({ bytes }) => parseOrNull(() => readCertificate(bytes)) ?? [])
}

function findCertificate(info: DerElement, candidates: readonly Certificate[]): Certificate | null {
  const identifier = childOf(info, 1)
  if (identifier.tag !== derTag.sequence)
    return candidates.find(({ publicKey }) => keyIdentifierOf(publicKey).equals(identifier.content)) ?? null
  const reference = referenceOf(childOf(identifier, 0), childOf(identifier, 1))
  return candidates.find((candidate) => candidate.reference === reference) ?? null
}

/** Returns the identifier that is derived from a key (RFC 5280, section 4.2.1.2, method 1). */
const keyIdentifierOf = (publicKey: Buffer): Buffer =>
  createHash('sha1')
    .update(childOf(readDer(publicKey), 1).content.subarray(1))
    .digest()

/** Reads an X.509 certificate (RFC 5280, section 4.1). Throws a RangeError if it is damaged. */
export function readCertificate(bytes: Buffer): Certificate {
  const certificate = readDer(bytes)
  const fields = childrenOf(childOf(certificate, 0, derTag.sequence))
  // The version is optional and precedes all other fields.
  const offset = fields[0]?.tag === derTag.context0 ? 1 : 0
  const [serial, , issuer, , subject, publicKey] = fields.slice(offset)
  if (serial === undefined || issuer === undefined || subject === undefined || publicKey === undefined)
    throw new RangeError('The certificate is incomplete.')
  return {
    sha256: createHash('sha256').update(certificate.bytes).digest('hex'),
    commonName: attributeOf(subject, oids.commonName),
    organization: attributeOf(subject, oids.organization),
    publicKey: publicKey.bytes,
    reference: referenceOf(issuer, serial),
  }
}

const referenceOf = (issuer: DerElement, serial: DerElement): string =>
  createHash('sha256').update(issuer.bytes).update(serial.bytes).digest('hex')

/** Returns the most specific attribute of this type in a distinguished name, which is the last one. */
function attributeOf(name: DerElement, oid: string): string | null {
  for (const relativeName of childrenOf(name).toReversed()) {
    for (const attribute of childrenOf(relativeName)) {
      if (oidOf(childOf(attribute, 0)) === oid) return textOf(childOf(attribute, 1))
    }
  }
  return null
}

function textOf({ tag, content }: DerElement): string {
  if (tag !== derTag.bmpString) return content.toString('utf8')
  return Buffer.from(content.subarray(0, content.length - (content.length % 2)))
    .swap16()
    .toString('utf16le')
}
