import { createECDH, createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'

/** Encodes an ASN.1 element in DER (X.690). */
function der(tag: number, ...content: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(content.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  const { length } = body
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), body])
  const lengthBytes = Buffer.from(length.toString(16).padStart(length > 0xffff ? 6 : 4, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 + lengthBytes.length]), lengthBytes, body])
}

const sequence = (...content: Buffer[]): Buffer => der(0x30, ...content)
const set = (...content: Buffer[]): Buffer => der(0x31, ...content)
const integer = (value: number): Buffer => der(2, Buffer.from([value]))
const oid = (hex: string): Buffer => der(6, Buffer.from(hex, 'hex'))
const explicit = (...content: Buffer[]): Buffer => der(0xa0, ...content)

const oids = { commonName: '550403', organization: '55040a', ed25519: '2b6570' }

export type Signer = {
  key: KeyObject
  publicKey: Buffer
  certificate: Buffer
  issuer: Buffer
  serial: Buffer
}

/**
 * Creates a key and a certificate that are the same for the same seed. An Ed25519 key issues the certificate, because
 * its signatures are deterministic.
 */
export function createSigner(seed: string, commonName: string, organization: string): Signer {
  const digest = (text: string) => createHash('sha256').update(`${seed} ${text}`).digest()
  const issuerKey = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), digest('issuer')]),
    format: 'der',
    type: 'pkcs8',
  })
  const key = createEcKey(digest(commonName))
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const name = (text: string) =>
    sequence(
      set(sequence(oid(oids.organization), der(0x0c, organization))),
      set(sequence(oid(oids.commonName), der(0x0c, text))),
    )
  const issuer = name(`${organization} Signing CA`)
  const serial = der(2, Buffer.from([1, ...digest(`serial ${commonName}`).subarray(0, 7)]))
  const algorithm = sequence(oid(oids.ed25519))
  const validity = sequence(der(0x17, '240301000000Z'), der(0x17, '490301000000Z'))
  const content = sequence(
    explicit(integer(2)),
    serial,
    algorithm,
    issuer,
    validity,
    name(commonName),
    publicKey,
  )
  const signature = sign(null, content, issuerKey)
  const certificate = sequence(content, algorithm, der(3, Buffer.concat([Buffer.alloc(1), signature])))
  return { key, publicKey, certificate, issuer, serial }
}

function createEcKey(secret: Buffer): KeyObject {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(secret)
  const point = curve.getPublicKey()
  const text = (bytes: Buffer) => bytes.toString('base64url')
  const coordinates = { x: text(point.subarray(1, 33)), y: text(point.subarray(33)) }
  return createPrivateKey({
    key: { kty: 'EC', crv: 'P-256', d: text(secret), ...coordinates },
    format: 'jwk',
  })
}

/** Returns a CMS message (RFC 5652) with the content and the certificate of the signer. */
export function signedMessage(content: Buffer, signer: Signer): Buffer {
  const [signedData, data, sha256] = ['2a864886f70d010702', '2a864886f70d010701', '608648016503040201']
  const digestAlgorithm = sequence(oid(sha256))
  const signerInfo = sequence(
    integer(1),
    sequence(signer.issuer, signer.serial),
    digestAlgorithm,
    sequence(oid('2a8648ce3d040302')),
    der(4, sign('sha256', content, signer.key)),
  )
  const message = sequence(
    integer(1),
    set(digestAlgorithm),
    sequence(oid(data), explicit(der(4, content))),
    explicit(signer.certificate),
    set(signerInfo),
  )
  return sequence(oid(signedData), explicit(message))
}
