import type { CommandContext } from '../../../command-context.ts'
import { Failure } from '../../../failure.ts'
import type { Checksum } from '../../../transfer/partial-file.ts'
import { decodedText } from '../../../transfer/response-filename.ts'
import { encode, signS3Url } from './sign-s3-url.ts'
import type { S3Credentials } from './sign-s3-url.ts'
import { md5Of, timeOf } from './untrusted-json.ts'
import { requestText, StatusError } from './web-request.ts'
import type { WebResponse } from './web-request.ts'

export type S3BucketOptions = {
  bucket: string
  /** URL of an S3-compatible store, or undefined for AWS. */
  endpoint: string | undefined
  region: string
  /** Undefined for a bucket that everybody can read. */
  credentials: S3Credentials | undefined
  context: Pick<CommandContext, 'output' | 'signal'>
}

export type S3Object = { key: string; sizeBytes: number; modifiedAt: string | null }

const expiresInSeconds = 3600
const maxPages = 1000

/** Reads a bucket with the API of S3. */
export class S3Bucket {
  readonly #options: S3BucketOptions
  #region: string

  constructor(options: S3BucketOptions) {
    this.#options = options
    this.#region = options.region
  }

  /** Yields the objects whose keys start with `prefix`. */
  async *objects(prefix: string): AsyncGenerator<S3Object> {
    const seen = new Set<string>()
    for (let token: string | undefined; ;) {
      const query = { 'list-type': '2', 'max-keys': '1000', 'encoding-type': 'url', prefix }
      const { text } = await this.#request('GET', '', {
        query: token === undefined ? query : { ...query, 'continuation-token': token },
      })
      const listing = parseListing(text)
      yield* listing.objects
      token = listing.next
      if (token === undefined) return
      if (seen.has(token) || seen.size === maxPages)
        throw new Failure('failed', 'The list of S3 objects does not end. Check --url.')
      seen.add(token)
    }
  }

  /** Returns the text of a small object. */
  async text(key: string): Promise<string> {
    return (await this.#request('GET', key)).text
  }

  /** Returns the size and the checksum of an object, or undefined if it was deleted. */
  async head(key: string): Promise<{ sizeBytes: number; checksum: Checksum | undefined } | undefined> {
    try {
      const { headers } = await this.#request('HEAD', key, { headers: { 'x-amz-checksum-mode': 'ENABLED' } })
      const length = headers.get('content-length')
      if (length === null) throw new Failure('failed', 'S3 does not report its size.')
      return { sizeBytes: Number(length), checksum: checksumIn(headers) }
    } catch (error) {
      if (error instanceof StatusError && error.status === 404) return undefined
      throw error
    }
  }

  /** Returns a URL from which the object can be read for an hour. */
  url = (key: string): URL => this.#sign('GET', this.#address(key), {})

  async #request(
    method: 'GET' | 'HEAD',
    key: string,
    { query = {}, headers = {} }: { query?: Record<string, string>; headers?: Record<string, string> } = {},
  ): Promise<WebResponse> {
    const { output, signal } = this.#options.context
    const send = () =>
      requestText({
        service: 'S3',
        method,
        url: () => {
          const url = this.#address(key)
          for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
          return this.#sign(method, url, headers)
        },
        headers,
        output,
        signal,
      })
    try {
      return await send().catch((error: unknown) => {
        // S3 names the region of the bucket if another one was used.
        const region = error instanceof StatusError ? error.headers.get('x-amz-bucket-region') : null
        if (region === null || region === this.#region || !/^[a-z0-9-]+$/.test(region)) throw error
        this.#region = region
        return send()
      })
    } catch (error) {
      if (!(error instanceof StatusError) || (method === 'HEAD' && error.status === 404)) throw error
      throw this.#describe(error)
    }
  }

  #sign(method: 'GET' | 'HEAD', url: URL, headers: Record<string, string>): URL {
    const { credentials } = this.#options
    if (credentials === undefined) return url
    const region = this.#region
    return signS3Url({ url, method, region, credentials, headers, expiresInSeconds, now: new Date() })
  }

  #address(key: string): URL {
    const { bucket, endpoint } = this.#options
    // A certificate of AWS only covers one label in front of its domain.
    const isInHost = endpoint === undefined && !bucket.includes('.')
    const base = endpoint ?? `https://${isInHost ? `${bucket}.` : ''}s3.${this.#region}.amazonaws.com`
    const path = `${isInHost ? '' : `/${encode(bucket)}`}/${key.split('/').map(encode).join('/')}`
    const url = new URL(base + path)
    if (!url.pathname.endsWith(path))
      throw new Failure('failed', 'Its key contains a segment such as "..", which cannot be in a URL.')
    return url
  }

  #describe({ status, text }: StatusError): Failure {
    const { bucket, credentials } = this.#options
    const code = elementOf(text, 'Code')
    const advice =
      credentials === undefined
        ? 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'
        : 'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and --region.'
    if (status === 404)
      return new Failure('failed', `There is no bucket "${bucket}". Check --bucket and --url.`)
    const reason = code === undefined ? `HTTP ${status}` : `${code}, HTTP ${status}`
    return new Failure(
      status === 401 || status === 403 ? 'not_allowed' : 'failed',
      `S3 rejected the request for the bucket "${bucket}" (${reason}). ${advice}`,
    )
  }
}

/** Returns the SHA-256 or MD5 checksum of an object. */
function checksumIn(headers: Headers): Checksum | undefined {
  // The checksum of an object that was uploaded in parts ends with their number and is not that of its content.
  const sha256 = Buffer.from(headers.get('x-amz-checksum-sha256') ?? '', 'base64')
  if (sha256.length === 32 && !headers.get('x-amz-checksum-sha256')?.includes('-'))
    return { algorithm: 'sha256', hex: sha256.toString('hex') }
  // The ETag is the MD5 checksum unless the object is encrypted with a key that S3 does not own.
  const encryption = headers.get('x-amz-server-side-encryption') ?? 'AES256'
  const isCustomerKey = headers.has('x-amz-server-side-encryption-customer-algorithm')
  const md5 = md5Of(headers.get('etag')?.replaceAll('"', ''))
  return md5 === null || encryption !== 'AES256' || isCustomerKey ? undefined : { algorithm: 'md5', hex: md5 }
}

function parseListing(xml: string): { objects: S3Object[]; next: string | undefined } {
  if (!xml.includes('<ListBucketResult'))
    throw new Failure('failed', 'The response is not a list of S3 objects. Check --url.')
  const isEncoded = elementOf(xml, 'EncodingType') === 'url'
  const objects = xml
    .split('<Contents>')
    .slice(1)
    .flatMap((block) => {
      const key = elementOf(block, 'Key')
      const sizeBytes = Number(elementOf(block, 'Size') ?? Number.NaN)
      if (key === undefined || !Number.isSafeInteger(sizeBytes)) return []
      const name = isEncoded ? decodedText(key.replaceAll('+', ' ')) : key
      return [{ key: name.toWellFormed(), sizeBytes, modifiedAt: timeOf(elementOf(block, 'LastModified')) }]
    })
  const isTruncated = elementOf(xml, 'IsTruncated') === 'true'
  return { objects, next: isTruncated ? elementOf(xml, 'NextContinuationToken') : undefined }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Returns the text of the first element with this name, which has no attributes and no child elements. */
function elementOf(xml: string, name: string): string | undefined {
  const start = xml.indexOf(`<${name}>`)
  const end = start === -1 ? -1 : xml.indexOf(`</${name}>`, start)
  if (end === -1) return undefined
  return xml
    .slice(start + name.length + 2, end)
    .replaceAll(
      /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
      (entity, known, decimal, hex) => {
        if (known !== undefined) return entities[String(known).toLowerCase()] ?? entity
        const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
        return code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity
      },
    )
}
