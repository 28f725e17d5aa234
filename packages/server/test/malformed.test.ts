import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { after, before, test } from 'node:test'
import { routes } from '../src/routes.ts'
import { atOnce } from './at-once.ts'
import { startService, type Service } from './harness.ts'
import { bytesOf, rawSpoilings, spoiltBytes } from './malformed-bytes.ts'
import {
  endpointTarget,
  spoilings,
  spoilt,
  storageTarget,
  type Sent,
  type Target,
} from './malformed-requests.ts'
import { say } from './raw-socket.ts'
import { requested, uploadedBuild } from './uploading.ts'
import { createPlace } from './world.ts'

// QUAYSIDE_SLOW_TESTS=1 npm test -- malformed   20,000 requests, 5,000 of them as bytes on the socket
const count = process.env['QUAYSIDE_SLOW_TESTS'] === undefined ? 2000 : 20_000
const rawCount = count / 4
const seed = Number(process.env['QUAYSIDE_SEED'] ?? Date.now() % 1_000_000)
const patienceMs = 10_000

const agent = new Agent({ keepAlive: true, maxSockets: 8 })
let service: Service

before(async () => {
  service = await startService()
})
after(async () => {
  agent.destroy()
  await service.close()
})

/** Every endpoint and every signed URL of storage, about things that are there. */
async function createTargets(): Promise<Target[]> {
  const place = await createPlace(service)
  const upload = await requested(service, place, { primary_file: { filename: 'a.tar.gz', size_bytes: 20 } })
  const path = `/applications/${place.applicationId}/builds`
  const { build } = await uploadedBuild(service, place)
  const download = await service.call('GET', `${path}/${build.id}/download`, { key: place.workspaceKey })
  const part = await service.call('POST', '/upload/request/multipart', {
    key: place.applicationKey,
    body: { pending_upload_id: upload.pending_upload_id, part_number: 1, content_length: 20 },
  })
  const { presigned_data: whole } = upload.primary_file
  const bodyOf20 = { 'Content-Length': '20' }
  const all = Object.entries(routes).map(([name, endpoint]) => endpointTarget(name, endpoint, place))
  const isDeletion = ({ good }: Target) => good.method === 'DELETE'
  return [
    ...all.filter((target) => !isDeletion(target)),
    storageTarget({ method: 'PUT', url: whole.url, headers: whole.headers }, place),
    storageTarget({ method: 'PUT', url: part.body.part_presigned_url, headers: bodyOf20 }, place),
    storageTarget({ method: 'GET', url: download.body.primary_file.temp_url, headers: {} }, place),
    ...all.filter(isDeletion),
  ]
}

/** Target after target, those that delete last; then the same about new things. */
function createSupply() {
  let targets = createTargets()
  let given = 0
  return async (): Promise<Target> => {
    const all = await targets
    const target = all[given++ % all.length]!
    if (given % all.length === 0) targets = createTargets()
    return target
  }
}

/** Undefined where the client itself refuses to send such a thing. */
function ask({ method, path, headers, body }: Sent): Promise<{ status: number; text: string } | undefined> {
  const { port } = service
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    // what a wrong length leaves on a connection would be taken for the answer of the next request there
    const connection = 'content-length' in headers ? { agent: false as const } : { agent }
    const options = {
      port,
      path,
      method,
      headers: { ...length, ...headers },
      ...connection,
      timeout: patienceMs,
    }
    let sent
    try {
      sent = request(options)
    } catch {
      return resolve(undefined)
    }
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('latin1')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer in 10 s')))
    sent.on('error', (error: NodeJS.ErrnoException) =>
      // a connection may be closed once its answer is given: with what was not read of the body
      ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') ? resolve(undefined) : reject(error),
    )
    sent.end(body)
  })
}

/** What speaks against the answer. */
function faultOf(status: number, text: string, isHead: boolean): string | undefined {
  if (status >= 500) return `${status} ${text.slice(0, 200)}`
  if (status < 400 || isHead) return undefined
  try {
    const { message } = JSON.parse(Buffer.from(text, 'latin1').toString()) as { message?: unknown }
    return typeof message === 'string' && message !== '' ? undefined : `${status} without words`
  } catch {
    return `${status} is no JSON: ${text.slice(0, 200)}`
  }
}

const spread = (counts: Map<number, number>): string =>
  [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, times]) => `${status}: ${times}`)
    .join(', ')

test(`${count - rawCount} malformed requests over all endpoints and storage: no 5xx, no hang, every refusal in words`, async (t) => {
  const next = createSupply()
  const statuses = new Map<number, number>()
  const faults: string[] = []
  let answered = 0
  const all = spoilings(count - rawCount, seed)
  await atOnce(8, all, async (spoiling) => {
    const target = await next()
    const sent = spoilt(target, spoiling)
    const about = () => `${target.name} ${spoiling.how}: ${JSON.stringify(sent).slice(0, 500)}`
    const answer = await ask(sent).catch((error: unknown) => faults.push(`${String(error)} to ${about()}`))
    if (typeof answer !== 'object') return
    answered += 1
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    const fault = faultOf(answer.status, answer.text, sent.method === 'HEAD')
    if (fault !== undefined) faults.push(`${fault} to ${about()}`)
  })
  t.diagnostic(`${all.length} requests, seed ${seed}; ${answered} answers: ${spread(statuses)}`)
  assert.deepEqual(faults.slice(0, 20), [])
  assert.ok(answered > all.length * 0.9)
})

test(`${rawCount} malformed requests as bytes on the socket: no 5xx, no hang, every refusal in words`, async (t) => {
  const next = createSupply()
  const statuses = new Map<number, number>()
  const faults: string[] = []
  const all = rawSpoilings(rawCount, seed)
  await atOnce(16, all, async (spoiling) => {
    const target = await next()
    const bytes = spoiltBytes(bytesOf(target.good), spoiling)
    const about = () =>
      `${target.name} ${JSON.stringify(spoiling)}: ${JSON.stringify(bytes.toString('latin1')).slice(0, 500)}`
    try {
      // what is cut short gets its end after a while
      const said = await say(service.port, [bytes, ''], { endsAfter: true, pauseMs: 300, answers: 1 })
      const [status = 0] = said.statuses
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const isHead = /^[\r\n]*HEAD /.test(bytes.toString('latin1'))
      for (const each of said.statuses) if (each >= 500) faults.push(`${each} to ${about()}`)
      const fault = said.statuses.length === 1 ? faultOf(status, said.body, isHead) : undefined
      if (fault !== undefined) faults.push(`${fault} to ${about()}`)
    } catch (error) {
      faults.push(`${String(error)} to ${about()}`)
    }
  })
  t.diagnostic(
    `${all.length} requests, seed ${seed}; status of the first answer, 0 = closed without one: ${spread(statuses)}`,
  )
  assert.deepEqual(faults.slice(0, 20), [])
})

test('after all of it, the service works and nobody has got a key into Object.prototype', async () => {
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
  assert.equal(({} as { polluted?: unknown }).polluted, undefined)
  await createPlace(service)
})
