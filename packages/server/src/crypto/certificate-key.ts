import {
  createPrivateKey,
  generateKeyPair,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto'
import { promisify } from 'node:util'
import {
  bitString,
  certificateTime,
  context0,
  derNull,
  integer,
  objectIdentifier,
  octetString,
  readElements,
  sequence,
  setOf,
  utf8String,
} from './der.ts'

/** An RSA key in PEM with its self-signed X.509 certificate. The private key has no passphrase. */
export type CertificateKey = { fingerprint: string; publicKey: string; privateKey: string }

const keyBits = 3072
const minKeyBits = 2048
/** The certificate must outlive every client that trusts it. keytool uses as many days in the examples of F-Droid. */
const validDays = 10_000

const commonName = objectIdentifier('2.5.4.3')
const data = objectIdentifier('1.2.840.113549.1.7.1')
const signedData = objectIdentifier('1.2.840.113549.1.7.2')
const sha256 = sequence(objectIdentifier('2.16.840.1.101.3.4.2.1'), derNull)
const rsa = sequence(objectIdentifier('1.2.840.113549.1.1.1'), derNull)
const rsaWithSha256 = sequence(objectIdentifier('1.2.840.113549.1.1.11'), derNull)
const one = integer(Buffer.from([1]))

/** Creates an RSA key and a certificate for it. Clients trust the certificate by its SHA-256. */
export async function generateCertificateKey(name: string, createdAt: Date): Promise<CertificateKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: keyBits })
  const subject = sequence(setOf(sequence(commonName, utf8String(name))))
  const expiresAt = new Date(createdAt.getTime() + validDays * 24 * 60 * 60 * 1000)
  const serialNumber = randomBytes(16)
  // The first byte must not be zero.
  serialNumber[0] = (serialNumber[0] ?? 0) | 0x40
  const content = sequence(
    integer(serialNumber),
    rsaWithSha256,
    subject,
    sequence(certificateTime(createdAt), certificateTime(expiresAt)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const certificate = sequence(content, rsaWithSha256, bitString(sign('sha256', content, privateKey)))
  return describe(new X509Certificate(certificate), privateKey)
}

const describe = (certificate: X509Certificate, privateKey: KeyObject): CertificateKey => ({
  fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
  publicKey: certificate.toString(),
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
})

/** Why a text is not a key with which indexes can be signed. */
export type UnusableCertificateKey =
  | 'not a private key'
  | 'has a passphrase'
  | 'not RSA'
  | 'no certificate'
  | 'expired'

/** Reads a private key and its certificate in PEM. Returns why they cannot be used otherwise. */
export function readCertificateKey(pem: string, now: Date): CertificateKey | UnusableCertificateKey {
  const key = blocksOf(pem).find((block) => block.includes('PRIVATE KEY-----'))
  if (key === undefined) return 'not a private key'
  if (/ENCRYPTED/.test(key)) return 'has a passphrase'
  const privateKey = readOrUndefined(() => createPrivateKey(key))
  if (privateKey === undefined) return 'not a private key'
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = privateKey
  if (type !== 'rsa' || (details?.modulusLength ?? 0) < minKeyBits) return 'not RSA'
  const certificate = blocksOf(pem)
    .filter((block) => block.startsWith('-----BEGIN CERTIFICATE-----'))
    .map((block) => readOrUndefined(() => new X509Certificate(block)))
    .find((found) => found?.checkPrivateKey(privateKey))
  if (certificate === undefined) return 'no certificate'
  return certificate.validToDate <= now ? 'expired' : describe(certificate, privateKey)
}

const blocksOf = (pem: string): string[] =>
  pem.match(/-----BEGIN [A-Z0-9 ]+-----[^-]+-----END [A-Z0-9 ]+-----/g) ?? []

function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Returns a detached signature in CMS (RFC 5652) that contains the certificate and no signed attributes. */
export function signWithCertificate(
  bytes: Buffer,
  { publicKey, privateKey }: Pick<CertificateKey, 'publicKey' | 'privateKey'>,
): Buffer {
  const certificate = new X509Certificate(publicKey).raw
  const [content = Buffer.alloc(0)] = readElements(certificate)
  const fields = readElements(content)
  // Certificates of version 1 do not state their version, which has the context-specific tag 0.
  const [serialNumber, , issuer] = fields[0]?.[0] === 0xa0 ? fields.slice(1) : fields
  if (serialNumber === undefined || issuer === undefined)
    throw new Error('the certificate must have an issuer')
  const signature = octetString(sign('sha256', bytes, privateKey))
  const signerInfo = sequence(one, sequence(issuer, serialNumber), sha256, rsa, signature)
  const signed = sequence(one, setOf(sha256), sequence(data), context0(certificate), setOf(signerInfo))
  return sequence(signedData, context0(signed))
}
