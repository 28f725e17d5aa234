import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routes } from '../src/routes.ts'
import { isFullSize } from './acceptance/full-size.ts'
import { concurrently } from './concurrently.ts'
import { startService, type Service } from './harness.ts'
import {
  bytesOf,
  endpointTarget,
  mutate,
  mutationChoices,
  storageTarget,
  type Target,
} from './malformed-requests.ts'
import { sendRaw } from './raw-socket.ts'
import { requestUpload, uploadedBuild } from './uploading.ts'
import { createFixture } from './world.ts'

// This file mutates the bytes of valid requests. bad-input.long.test.ts sends invalid values in well-formed requests.
const defaultCount = isFullSize ? 3000 : 600
const count = Number(process.env['QUAYSIDE_MALFORMED_REQUESTS'] ?? defaultCount)
const seed = Number(process.env['QUAYSIDE_SEED'] ?? Date.now() % 1_000_000)
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

/** Creates resources and returns a valid request for every endpoint and every kind of signed URL. */
async function createTargets(): Promise<Target[]> {
  const fixture = await createFixture(service)
  const upload = await requestUpload(service, fixture, {
    primary_file: { filename: 'a.tar.gz', size_bytes: 20 },
  })
  const path = `/applications/${fixture.applicationId}/builds`
  const { build } = await uploadedBuild(service, fixture)
  const download = await service.call('GET', `${path}/${build.id}/download`, { key: fixture.workspaceKey })
  const part = await service.call('POST', '/upload/request/multipart', {
    key: fixture.applicationKey,
    body: { pending_upload_id: upload.pending_upload_id, part_number: 1, content_length: 20 },
  })
  const { presigned_data: whole } = upload.primary_file
  const bodyOf20 = { 'Content-Length': '20' }
  const all = Object.entries(routes).map(([name, endpoint]) => endpointTarget(name, endpoint, fixture))
  const isDeletion = ({ method }: Target) => method === 'DELETE'
  return [
    ...all.filter((target) => !isDeletion(target)),
    storageTarget({ method: 'PUT', url: whole.url, headers: whole.headers }),
    storageTarget({ method: 'PUT', url: part.body.part_presigned_url, headers: bodyOf20 }),
    storageTarget({ method: 'GET', url: download.body.primary_file.temp_url, headers: {} }),
    ...all.filter(isDeletion),
  ]
}

/** Returns a function that cycles through the targets. Each round uses new resources and ends with the deletions. */
function cycleTargets() {
  let targets = createTargets()
  let next = 0
  return async (): Promise<Target> => {
    const all = await targets
    const target = all[next++ % all.length]!
    if (next % all.length === 0) targets = createTargets()
    return target
  }
}

/** Returns whether the request looks like that of a browser that opens a page, which also gets errors as pages. */
const isNavigation = (request: string): boolean =>
  /^[\r\n]*(GET|POST) /.test(request) &&
  /\naccept: ?text\/html/i.test(request) &&
  !/\nauthorization:/i.test(request)

/** Returns a description of what is wrong with a response, or undefined if the response is valid. */
function faultOf(status: number, text: string, request: string): string | undefined {
  if (status >= 500) return `${status} ${text.slice(0, 200)}`
  if (status < 400 || /^[\r\n]*HEAD /.test(request)) return undefined
  if (isNavigation(request) && text.startsWith('<!doctype html>')) return undefined
  try {
    const { message } = JSON.parse(Buffer.from(text, 'latin1').toString()) as { message?: unknown }
    return typeof message === 'string' && message !== '' ? undefined : `${status} without a message`
  } catch {
    return `${status} is not JSON: ${text.slice(0, 200)}`
  }
}

const formatCounts = (counts: Map<number, number>): string =>
  [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, times]) => `${status}: ${times}`)
    .join(', ')

test(`handles ${count} malformed requests without 5xx responses, timeouts or errors that lack a message`, async (t) => {
  const next = cycleTargets()
  const statuses = new Map<number, number>()
  const faults: string[] = []
  const all = mutationChoices(count, seed)
  await concurrently(16, all, async (choice) => {
    const target = await next()
    const bytes = mutate(bytesOf(target), choice)
    const context = () =>
      `${target.name} ${JSON.stringify(choice)}: ${JSON.stringify(bytes.toString('latin1')).slice(0, 500)}`
    try {
      // Half-closing the connection after a pause ends a truncated request.
      const received = await sendRaw(service.port, [bytes, ''], {
        halfClose: true,
        pauseMs: 300,
        maxResponses: 1,
      })
      const [status = 0] = received.statuses
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      for (const each of received.statuses) if (each >= 500) faults.push(`${each} to ${context()}`)
      const fault =
        received.statuses.length === 1 ? faultOf(status, received.body, bytes.toString('latin1')) : undefined
      if (fault !== undefined) faults.push(`${fault} to ${context()}`)
    } catch (error) {
      faults.push(`${String(error)} to ${context()}`)
    }
  })
  t.diagnostic(
    `${all.length} requests, seed ${seed}; status of the first response, 0 = closed without one: ${formatCounts(statuses)}`,
  )
  assert.deepEqual(faults.slice(0, 20), [])
})

test('stays ready after malformed requests and does not pollute Object.prototype', async () => {
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
  assert.equal(({} as { polluted?: unknown }).polluted, undefined)
  await createFixture(service)
})
