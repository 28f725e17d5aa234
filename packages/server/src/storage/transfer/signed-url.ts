import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { uuidSource } from '../../lib/ids.ts'
import { problem } from '../../lib/problem.ts'

/**
 * `callerId` is the ID of the API key whose concurrent PUTs are counted, or '' if they are not counted. `multipartId` is
 * the ID of the upload in a bucket.
 */
type PutClaims = {
  method: 'PUT'
  key: string
  partNumber: number
  sizeBytes: number
  callerId: string
  multipartId?: string
}
type GetClaims = { method: 'GET'; key: string; filename: string; contentType: string }
/** The request that a signed URL permits. GET also permits HEAD. */
export type Claims = PutClaims | GetClaims

export type UrlSigner = {
  /** Returns an absolute URL that permits exactly this request until `expiresAt` (Unix time in whole seconds). */
  sign(claims: Claims, expiresAt: number): string
  /**
   * Returns the claims of a signed URL. Throws `forbidden` if the signature is invalid, the method does not match or
   * the URL has expired.
   */
  verify(method: string, target: string, now: Date): Claims
}

/** The paths of signed URLs, and what their keys are derived for. A URL for one path is invalid for the other. */
const kinds = {
  folder: { path: '/storage/v1/', key: uuidSource, purpose: 'quayside storage url v1' },
  relay: {
    path: '/storage/relay/',
    // The key of an object in a custom store starts with the ID of the store.
    key: `(?:[0-9a-z]{1,40}/)?${uuidSource}`,
    purpose: 'quayside storage relay url v1',
  },
}
const wholeNumber = /^(0|[1-9]\d{0,14})$/

type SignerOptions = { secret: string; previousSecret?: string | undefined; publicUrl: string }

/** Returns whether a path is one of the relay of requests to buckets. */
export const isRelayPath = (path: string): boolean => path.startsWith(kinds.relay.path)

/**
 * Creates a signer. Its key is derived from `secret`, the configured master secret, and is used only to sign URLs. URLs
 * that were signed with the previous secret remain valid.
 */
export function createUrlSigner(
  { secret, previousSecret, publicUrl }: SignerOptions,
  kind: keyof typeof kinds = 'folder',
): UrlSigner {
  const { path, key: keySource, purpose } = kinds[kind]
  const signedTarget = new RegExp(`^${path}(${keySource})\\?([^#]*)$`)
  const signingKey = deriveKey(secret, purpose)
  const acceptedKeys = [
    signingKey,
    ...(previousSecret === undefined ? [] : [deriveKey(previousSecret, purpose)]),
  ]
  const origin = publicUrl.replace(/\/+$/, '')

  const signatureOf = (claims: Claims, expiresAt: number, key = signingKey): string =>
    createHmac('sha256', key).update(canonicalText(claims, expiresAt)).digest('base64url')

  return {
    sign(claims, expiresAt) {
      const query = new URLSearchParams(
        claims.method === 'PUT'
          ? {
              part: String(claims.partNumber),
              size: String(claims.sizeBytes),
              ...(claims.callerId === '' ? {} : { caller: claims.callerId }),
              ...(claims.multipartId === undefined ? {} : { upload: claims.multipartId }),
            }
          : { filename: claims.filename, type: claims.contentType },
      )
      query.set('expires', String(expiresAt))
      query.set('signature', signatureOf(claims, expiresAt))
      return `${origin}${path}${claims.key}?${query.toString()}`
    },

    verify(method, url, now) {
      const [, key, query] = signedTarget.exec(url) ?? []
      const parameters = new URLSearchParams(query)
      const claims = key === undefined ? undefined : readClaims(method, key, parameters)
      const expires = parameters.get('expires') ?? ''
      if (claims === undefined || !wholeNumber.test(expires)) throw badSignature()
      const received = Buffer.from(parameters.get('signature') ?? '')
      const isSignedWith = (key: Buffer) => {
        const expected = Buffer.from(signatureOf(claims, Number(expires), key))
        return received.length === expected.length && timingSafeEqual(received, expected)
      }
      if (!acceptedKeys.some(isSignedWith)) throw badSignature()
      if (Number(expires) * 1000 <= now.getTime()) {
        throw urlExpired()
      }
      return claims
    },
  }
}

const urlExpired = problem('forbidden', 'storage.url_expired', 'This URL has expired. Request a new one.')

const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))

function readClaims(method: string, key: string, parameters: URLSearchParams): Claims | undefined {
  if (method === 'PUT') {
    const partNumber = parameters.get('part') ?? ''
    const sizeBytes = parameters.get('size') ?? ''
    if (!wholeNumber.test(partNumber) || !wholeNumber.test(sizeBytes)) return undefined
    const callerId = parameters.get('caller') ?? ''
    const multipartId = parameters.get('upload')
    return {
      method,
      key,
      partNumber: Number(partNumber),
      sizeBytes: Number(sizeBytes),
      callerId,
      ...(multipartId !== null && { multipartId }),
    }
  }
  const filename = parameters.get('filename')
  const contentType = parameters.get('type')
  if (filename === null || contentType === null) return undefined
  return { method: 'GET', key, filename, contentType }
}

/**
 * Returns the string to sign. JSON separates the fields unambiguously, regardless of the characters that they contain.
 */
function canonicalText(claims: Claims, expiresAt: number): string {
  return JSON.stringify(
    claims.method === 'PUT'
      ? [
          'PUT',
          claims.key,
          claims.partNumber,
          claims.sizeBytes,
          claims.callerId,
          expiresAt,
          ...(claims.multipartId === undefined ? [] : [claims.multipartId]),
        ]
      : ['GET', claims.key, claims.filename, claims.contentType, expiresAt],
  )
}

const badSignature = problem(
  'forbidden',
  'storage.bad_signature',
  'This URL has an invalid signature. Request a new one.',
)
