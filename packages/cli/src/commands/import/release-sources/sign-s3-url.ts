import { createHash, createHmac } from 'node:crypto'

export type S3Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string }

export type S3UrlToSign = {
  url: URL
  method: 'GET' | 'HEAD'
  region: string
  credentials: S3Credentials
  /** Headers that the request must have, with lower-case names. */
  headers?: Record<string, string>
  expiresInSeconds: number
  now: Date
}

/** Returns a URL with a signature of AWS Signature Version 4 in its query. */
export function signS3Url({
  url,
  method,
  region,
  credentials,
  headers = {},
  expiresInSeconds,
  now,
}: S3UrlToSign): URL {
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const date = time.slice(0, 8)
  const scope = `${date}/${region}/s3/aws4_request`
  const signedHeaders: Record<string, string> = { host: url.host, ...headers }
  const names = Object.keys(signedHeaders).toSorted()
  const query: [string, string][] = [
    ...url.searchParams,
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${credentials.accessKeyId}/${scope}`],
    ['X-Amz-Date', time],
    ['X-Amz-Expires', String(expiresInSeconds)],
    ['X-Amz-SignedHeaders', names.join(';')],
  ]
  if (credentials.sessionToken !== undefined) query.push(['X-Amz-Security-Token', credentials.sessionToken])
  const canonicalQuery = query
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
  const canonicalRequest = [
    method,
    url.pathname,
    canonicalQuery,
    ...names.map((name) => `${name}:${signedHeaders[name]?.trim()}`),
    '',
    names.join(';'),
    'UNSIGNED-PAYLOAD',
  ].join('\n')
  const hash = createHash('sha256').update(canonicalRequest).digest('hex')
  const key = [date, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    hmac,
    `AWS4${credentials.secretAccessKey}`,
  )
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, hash].join('\n')).toString('hex')
  const signed = new URL(url)
  signed.search = `?${canonicalQuery}&X-Amz-Signature=${signature}`
  return signed
}

/** Encodes each character that RFC 3986 reserves, as S3 requires. */
export const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()
