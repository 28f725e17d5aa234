import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { Problem } from '../lib/problem.ts'

type PutClaims = { method: 'PUT'; key: string; partNumber: number; sizeBytes: number }
type GetClaims = { method: 'GET'; key: string; filename: string; contentType: string }
/** What a signed URL allows. HEAD is covered by GET. */
export type Claims = PutClaims | GetClaims

export type UrlSigner = {
  /** An absolute URL that allows exactly this until `expiresAt` (whole seconds since 1970). */
  sign(claims: Claims, expiresAt: number): string
  /** What the URL allows; throws `forbidden` when it was not signed here, for another method, or has expired. */
  verify(method: string, target: string, now: Date): Claims
}

const signedTarget =
  /^\/storage\/v1\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\?([^#]*)$/
const wholeNumber = /^(0|[1-9]\d{0,14})$/

/** `secret` is the master secret of the configuration; the key used here is derived from it and good for nothing else. */
export function createUrlSigner({ secret, publicUrl }: { secret: string; publicUrl: string }): UrlSigner {
  const signingKey = Buffer.from(hkdfSync('sha256', secret, '', 'quayside storage url v1', 32))
  const origin = publicUrl.replace(/\/+$/, '')

  const signatureOf = (claims: Claims, expiresAt: number): string =>
    createHmac('sha256', signingKey).update(canonicalText(claims, expiresAt)).digest('base64url')

  return {
    sign(claims, expiresAt) {
      const query = new URLSearchParams(
        claims.method === 'PUT'
          ? { part: String(claims.partNumber), size: String(claims.sizeBytes) }
          : { filename: claims.filename, type: claims.contentType },
      )
      query.set('expires', String(expiresAt))
      query.set('signature', signatureOf(claims, expiresAt))
      return `${origin}/storage/v1/${claims.key}?${query.toString()}`
    },

    verify(method, url, now) {
      const [, key, query] = signedTarget.exec(url) ?? []
      const parameters = new URLSearchParams(query)
      const claims = key === undefined ? undefined : readClaims(method, key, parameters)
      const expires = parameters.get('expires') ?? ''
      if (claims === undefined || !wholeNumber.test(expires)) throw badSignature()
      const given = Buffer.from(parameters.get('signature') ?? '')
      const wanted = Buffer.from(signatureOf(claims, Number(expires)))
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw badSignature()
      if (Number(expires) * 1000 <= now.getTime()) {
        throw new Problem('forbidden', 'storage.url_expired', 'This URL has expired. Ask for a new one.')
      }
      return claims
    },
  }
}

function readClaims(method: string, key: string, parameters: URLSearchParams): Claims | undefined {
  if (method === 'PUT') {
    const partNumber = parameters.get('part') ?? ''
    const sizeBytes = parameters.get('size') ?? ''
    if (!wholeNumber.test(partNumber) || !wholeNumber.test(sizeBytes)) return undefined
    return { method, key, partNumber: Number(partNumber), sizeBytes: Number(sizeBytes) }
  }
  const filename = parameters.get('filename')
  const contentType = parameters.get('type')
  if (filename === null || contentType === null) return undefined
  return { method: 'GET', key, filename, contentType }
}

/** JSON keeps the fields apart whatever they hold. */
function canonicalText(claims: Claims, expiresAt: number): string {
  return JSON.stringify(
    claims.method === 'PUT'
      ? ['PUT', claims.key, claims.partNumber, claims.sizeBytes, expiresAt]
      : ['GET', claims.key, claims.filename, claims.contentType, expiresAt],
  )
}

const badSignature = (): Problem =>
  new Problem('forbidden', 'storage.bad_signature', 'The signature of this URL is not valid.')
