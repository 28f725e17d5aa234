import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

type Options = { origin: string }
type CborValue = string | number | Buffer | Map<number | string, CborValue>

/** Creates a software authenticator with one passkey, as WebAuthn Level 3 describes it. */
export function createAuthenticator({ origin }: Options) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  let signCount = 0

  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  function authenticatorData(rpId: string, attested: Buffer, isUserVerified: boolean): Buffer {
    const isAttested = attested.length > 0
    const flags = 0x01 | (isUserVerified ? 0x04 : 0) | (isAttested ? 0x40 : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags, 0)
    head.writeUInt32BE(signCount++, 1)
    return Buffer.concat([sha256(rpId), head, attested])
  }

  return {
    /** Returns the response to the options of a registration. */
    register({ challenge, rp }: { challenge: string; rp: { id: string } }, isUserVerified = true) {
      const coseKey = cbor(
        new Map<number, CborValue>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const length = Buffer.from([0, credentialId.length])
      const data = authenticatorData(
        rp.id,
        Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey]),
        isUserVerified,
      )
      const attestation = cbor(
        new Map<string, CborValue>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', data],
        ]),
      )
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** Returns the response to the options of an authentication. */
    authenticate({ challenge, rpId }: { challenge: string; rpId: string }, isUserVerified = true) {
      const client = clientData('webauthn.get', challenge)
      const data = authenticatorData(rpId, Buffer.alloc(0), isUserVerified)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}

/** Encodes the few kinds of values that an attestation contains (RFC 8949). */
function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const pairs = [...value].flatMap(([key, each]) => [cbor(key), cbor(each)])
  return Buffer.concat([head(5, value.size), ...pairs])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
