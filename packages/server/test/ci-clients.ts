import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { Service, Tenant } from './harness.ts'
import { requestUpload, verify } from './uploading.ts'

type Response = { status: number; etag: string; text: string }

/** How a client states the length of a body. */
export type Framing =
  | 'Content-Length'
  | 'Transfer-Encoding: chunked'
  /** Java's HttpClient, if the program sets the length itself and passes a stream (decision 0014). */
  | 'Content-Length and Transfer-Encoding: chunked'

/** The headers of Java's HttpClient, which offers HTTP/2 without TLS. */
const javaHeaders = {
  connection: 'Upgrade, HTTP2-Settings',
  'http2-settings': 'AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA',
  upgrade: 'h2c',
  'user-agent': 'Java-http-client/17.0.15',
}

/** Sends the body of a PUT in pieces of 16 KiB, as Java's HttpClient does. */
export function putFramed(
  url: string,
  bytes: Buffer,
  framing: Framing,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { hostname, port, pathname, search } = new URL(url)
  const lengthHeaders: Record<string, string | number> = {
    'Content-Length': { 'content-length': bytes.length },
    'Transfer-Encoding: chunked': { 'transfer-encoding': 'chunked' },
    // Node.js frames a body with both headers as chunks.
    'Content-Length and Transfer-Encoding: chunked': {
      'content-length': bytes.length,
      'transfer-encoding': 'chunked',
    },
  }[framing]
  return new Promise((resolve, reject) => {
    const sent = request({
      hostname,
      port,
      path: `${pathname}${search}`,
      method: 'PUT',
      // Java offers HTTP/2 only on a new connection.
      agent: false,
      headers: { ...javaHeaders, ...headers, ...lengthHeaders },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, etag: response.headers.etag ?? '', text }),
      )
    })
    for (let offset = 0; offset < bytes.length; offset += 16 * 1024)
      sent.write(bytes.subarray(offset, offset + 16 * 1024))
    sent.end()
  })
}

/** Requests the URL of a part as a CI client does. */
export async function requestPart(
  service: Service,
  tenant: Tenant,
  part: { pending_upload_id: string; part_number: number; content_length: number },
): Promise<string> {
  const { status, body, text } = await service.call('POST', '/upload/request/multipart', {
    key: tenant.applicationKey,
    body: part,
  })
  assert.equal(status, 200, text)
  return body.part_presigned_url
}

type Client = {
  source: string
  /** The framing of the parts. A whole file is always sent with its length. */
  parts: Framing
}

/** Uploads a build as a CI plugin does, in parts if the response recommends it. Returns the build and the requests. */
export async function uploadLikePlugin(
  service: Service,
  tenant: Tenant,
  { source, parts: framing }: Client,
  bytes: Buffer,
) {
  const upload = await requestUpload(service, tenant, {
    source,
    primary_file: { filename: 'app.tar.gz', size_bytes: bytes.length },
  })
  const { chunked_upload, chunked_number_parts, chunked_part_size_mb, presigned_data } = upload.primary_file
  const chunks: { PartNumber: number; ETag: string }[] = []
  if (chunked_upload === true) {
    const size = chunked_part_size_mb * 1024 * 1024
    for (let number = 1; number <= chunked_number_parts; number++) {
      const part = bytes.subarray((number - 1) * size, number * size)
      const url = await requestPart(service, tenant, {
        pending_upload_id: upload.pending_upload_id,
        part_number: number,
        content_length: part.length,
      })
      const { status, etag, text } = await putFramed(url, part, framing)
      assert.equal(status, 200, text)
      chunks.push({ PartNumber: number, ETag: etag })
    }
  } else {
    const { status, text } = await putFramed(
      presigned_data.url,
      bytes,
      'Content-Length',
      presigned_data.headers,
    )
    assert.equal(status, 200, text)
  }
  const verified = await verify(
    service,
    tenant,
    upload.pending_upload_id,
    chunked_upload === true ? chunks : undefined,
  )
  assert.equal(verified.status, 200, verified.text)
  return { build: verified.body.build, partCount: chunks.length }
}
