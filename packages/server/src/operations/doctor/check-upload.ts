import { randomBytes, randomUUID } from 'node:crypto'
import { request } from 'undici'
import { failure, ok, reasonOf, warning, type Finding } from '../../lib/finding.ts'
import { sizeString } from '../../lib/sizes.ts'
import type { StorageDriver } from '../../storage/driver.ts'

const mebibyte = 1024 * 1024
const timeoutMs = 60_000

/** Sends a part of the recommended size to a signed URL as a client does, and checks CORS as a browser does. */
export async function checkUpload(
  storage: StorageDriver,
  { publicUrl, partSizeMb }: { publicUrl: string; partSizeMb: number },
): Promise<Finding[]> {
  const sizeBytes = partSizeMb * mebibyte
  const file = {
    key: randomUUID(),
    sizeBytes,
    filename: 'doctor.bin',
    contentType: 'application/octet-stream',
  }
  const { url, headers } = await storage.signPut(file, { expiresInSeconds: 600 })
  try {
    return [
      await sendFile(storage, { url, headers, key: file.key, sizeBytes }),
      await checkCors(url, new URL(publicUrl).origin, Object.keys(headers)),
    ]
  } finally {
    await storage.discard(file.key, '').catch(() => {})
  }
}

async function sendFile(
  storage: StorageDriver,
  {
    url,
    headers,
    key,
    sizeBytes,
  }: { url: string; headers: Record<string, string>; key: string; sizeBytes: number },
): Promise<Finding> {
  const size = sizeString(sizeBytes)
  try {
    const { statusCode, body } = await request(url, {
      method: 'PUT',
      headers,
      body: randomBytes(sizeBytes),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    await body.dump()
    if (statusCode === 413)
      return failure(
        'upload',
        `a proxy rejects a body of ${size} with status 413`,
        'Remove the limit of the proxy (nginx: client_max_body_size 0).',
      )
    if (statusCode !== 200)
      return failure(
        'upload',
        `a PUT of ${size} returned ${statusCode}`,
        'Look for the request in the logs of the proxy and of the server.',
      )
    const [stored] = await storage.listStaged(key, '')
    if (stored?.sizeBytes !== sizeBytes)
      return failure(
        'upload',
        'the uploaded file is not in this storage',
        'The URL leads to another server or bucket. Check QUAYSIDE_PUBLIC_URL or the QUAYSIDE_S3 settings.',
      )
    return ok('upload', `sent ${size} to ${new URL(url).origin}`)
  } catch (error) {
    return failure(
      'upload',
      reasonOf(error),
      'Check whether the URL can be reached, and the limits and timeouts of the proxy.',
    )
  }
}

async function checkCors(url: string, origin: string, headerNames: string[]): Promise<Finding> {
  const advice =
    'Let the proxy pass OPTIONS requests and CORS headers on. For S3, run quayside-server admin storage-setup.'
  try {
    const { headers, body, statusCode } = await request(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': headerNames.join(',').toLowerCase(),
      },
      headersTimeout: timeoutMs,
    })
    await body.dump()
    const [allowed, methods] = [
      headers['access-control-allow-origin'],
      headers['access-control-allow-methods'],
    ]
    if (allowed !== '*' && allowed !== origin)
      return warning(
        'CORS',
        `uploads of browsers are not allowed for ${origin} (status ${statusCode})`,
        advice,
      )
    if (!String(methods).includes('PUT')) return warning('CORS', 'browsers may not send PUT requests', advice)
    return ok('CORS', `browsers may upload from ${origin}`)
  } catch (error) {
    return warning('CORS', reasonOf(error), advice)
  }
}
