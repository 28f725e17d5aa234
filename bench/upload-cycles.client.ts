import { Agent, request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { UploadLoad } from './upload-cycles.ts'

const {
  origin,
  key,
  applicationId,
  clients,
  seconds,
  cycles = Infinity,
} = JSON.parse(process.argv[2] ?? '') as UploadLoad
const agent = new Agent({ keepAlive: true, maxSockets: clients })
const bytes = Buffer.alloc(1024, 'quayside')
const json = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
let started = 0
let done = 0

const start = performance.now()
const end = start + seconds * 1000
await Promise.all(Array.from({ length: clients }, () => client()))
console.log(done / ((performance.now() - start) / 1000))
agent.destroy()

async function client(): Promise<void> {
  while (performance.now() < end && started < cycles) {
    await cycle(started++)
    done++
  }
}

/** One build: asked for, 1 KiB put, verified. */
async function cycle(number: number): Promise<void> {
  const requested = await send('POST', `${origin}/api/v1/upload/request`, json, {
    application_id: applicationId,
    platform: 'generic',
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
  await send('POST', `${origin}/api/v1/upload/verify`, json, { pending_upload_id })
}

/** The answer's body; throws on anything but 200. */
async function send(
  method: string,
  url: string,
  headers: Record<string, string>,
  body: Buffer | object,
): Promise<string> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, resolve).on('error', reject)
    sent.end(Buffer.isBuffer(body) ? body : JSON.stringify(body))
  })
  const said = await text(answer)
  if (answer.statusCode !== 200) throw new Error(`${method} ${url}: ${answer.statusCode} ${said}`)
  return said
}
