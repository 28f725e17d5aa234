import { Agent, request, type IncomingMessage } from 'node:http'
import { json, text } from 'node:stream/consumers'
import type { UploadLoad } from './load-clients.ts'

const load = (await json(process.stdin)) as UploadLoad
const { origin, key, applicationId, clients, seconds, maxCycles = Infinity, platform = 'generic' } = load
const agent = new Agent({ keepAlive: true, maxSockets: clients })
const bytes = Buffer.alloc(1024, 'quayside')
const jsonHeaders = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
let started = 0
let completed = 0

const start = performance.now()
const end = start + seconds * 1000
await Promise.all(Array.from({ length: clients }, () => client()))
console.log(completed / ((performance.now() - start) / 1000))
agent.destroy()

async function client(): Promise<void> {
  while (performance.now() < end && started < maxCycles) {
    await cycle(started++)
    completed++
  }
}

/** Creates one build with a request, a PUT of 1 KiB and a verify request. */
async function cycle(number: number): Promise<void> {
  const requested = await send('POST', `${origin}/api/v1/upload/request`, jsonHeaders, {
    application_id: applicationId,
    platform,
    stream: 'default',
    source: 'cli-upload',
    primary_file: { filename: 'package.zip', size_bytes: bytes.length },
    version_component_1_major: 1,
    version_component_2_minor: Math.floor(number / 10_000),
    version_component_3_patch: number % 10_000,
  })
  const { pending_upload_id, primary_file } = JSON.parse(requested) as {
    pending_upload_id: string
    primary_file: { presigned_data: { url: string; headers: Record<string, string> } }
  }
  await send('PUT', primary_file.presigned_data.url, primary_file.presigned_data.headers, bytes)
  await send('POST', `${origin}/api/v1/upload/verify`, jsonHeaders, { pending_upload_id })
}

/** Sends a request and returns the response body. Throws unless the status is 200. */
async function send(
  method: string,
  url: string,
  headers: Record<string, string>,
  body: Buffer | object,
): Promise<string> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, resolve).on('error', reject)
    sent.end(Buffer.isBuffer(body) ? body : JSON.stringify(body))
  })
  const responseBody = await text(response)
  if (response.statusCode !== 200) throw new Error(`${method} ${url}: ${response.statusCode} ${responseBody}`)
  return responseBody
}
