import { text } from 'node:stream/consumers'
import type { CycleLoad } from './cycle-load.ts'
import { RawHttp } from './raw-http.ts'
import type { Requested } from './uploads.ts'

const { port, key, applicationId, clients, seconds, sizeBytes } = JSON.parse(
  await text(process.stdin),
) as CycleLoad
const body = Buffer.alloc(sizeBytes, 'quayside')
const json = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
const request = JSON.stringify({
  application_id: applicationId,
  platform: 'generic',
  stream: 'default',
  source: 'cli-upload',
  primary_file: { filename: 'package.zip', size_bytes: sizeBytes },
  version_component_1_major: 1,
  version_component_2_minor: 0,
  version_component_3_patch: 0,
})

const connections = await Promise.all(Array.from({ length: clients }, () => RawHttp.open(port)))
const start = performance.now()
const end = start + seconds * 1000
const counts = await Promise.all(connections.map((connection) => client(connection)))
const cycles = counts.reduce((sum, count) => sum + count, 0)
console.log(cycles / ((performance.now() - start) / 1000))
for (const connection of connections) connection.close()

/** One whole cycle after the other until the time is over, at least one; how many. */
async function client(connection: RawHttp): Promise<number> {
  let count = 0
  do {
    await cycle(connection)
    count++
  } while (performance.now() < end)
  return count
}

async function cycle(connection: RawHttp): Promise<void> {
  const post = { method: 'POST', headers: json }
  const requested = await connection.send({ ...post, path: '/api/v1/upload/request', body: request })
  const { pending_upload_id, primary_file } = JSON.parse(requested.body) as Requested
  const { url, headers } = primary_file.presigned_data
  await connection.send({ method: 'PUT', path: url.replace(/^http:\/\/[^/]+/, ''), headers, body })
  const verify = JSON.stringify({ pending_upload_id })
  const verified = await connection.send({ ...post, path: '/api/v1/upload/verify', body: verify })
  if (!verified.body.includes('"build_id"')) throw new Error(verified.body)
}
