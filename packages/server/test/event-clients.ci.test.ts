import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { concurrently } from './concurrently.ts'
import { copyBuild } from './copy-builds.ts'
import { watch, type EventClient } from './event-client.ts'
import { startOwnService, type ApiResponse, type Service } from './harness.ts'
import { untilChangesAreSettled } from './settled-changes.ts'
import { uploadedBuild, versionOf } from './uploading.ts'

const clientCount = Number(process.env['QUAYSIDE_EVENT_CLIENTS'] ?? 30)
const changeCount = Number(process.env['QUAYSIDE_EVENT_CHANGES'] ?? 300)
const restartCount = Math.ceil(changeCount / 1_500)
const writers = 30

const environment = {
  QUAYSIDE_EVENT_STREAM_LIMIT: '100000',
  QUAYSIDE_EVENT_STREAMS_PER_KEY: '100000',
}
const running: Service[] = []
after(async () => {
  const [last, ...others] = running.splice(0)
  await Promise.all(others.map((service) => service.stop()))
  await last?.close()
})

/** Waits until a service is running and returns it. */
async function serviceFor(index: number): Promise<Service> {
  while (running.length === 0) await pause(5)
  return running[index % running.length]!
}

/** Repeats a call until it succeeds or returns 404, because services restart during the test. */
async function retry(index: number, send: (service: Service) => Promise<ApiResponse>): Promise<void> {
  for (const end = performance.now() + 120_000; ; await pause(20)) {
    const response = await serviceFor(index)
      .then(send)
      .catch(() => undefined)
    if (response !== undefined && (response.status < 300 || response.status === 404)) return
    assert.ok(performance.now() < end, `${response?.status} ${response?.text}`)
  }
}

/** Starts a client that reconnects with the ID of its last event until it has received all changes. */
function follow(index: number, options: { key: string; path: string }) {
  const received: string[] = []
  let lastEventId: string | undefined
  let connections = 0
  let current: EventClient | undefined
  const isDone = () => received.length >= changeCount
  const started = Promise.withResolvers<void>()
  const finished = (async () => {
    while (!isDone()) {
      current = await watch((await serviceFor(index)).url, {
        ...options,
        lastEventId,
        onEvent({ event, id, data }) {
          if (event === 'end') return
          lastEventId = id
          if (event === 'ready') started.resolve()
          else received.push(`${String(data['type'])} ${String(data['id'])}`)
        },
      }).catch(() => undefined)
      const client = current
      if (client === undefined) await pause(20)
      else await client.until(() => isDone() || client.isClosed(), 'end', 500_000)
      if (client?.status === 200) connections++
      lastEventId = client?.lastId() ?? lastEventId
      client?.close()
    }
  })()
  return { received, started: started.promise, finished, connections: () => connections }
}

test('each client receives each change exactly once and in order while services restart', async (t) => {
  const first = await startOwnService({ environment })
  running.push(first, await startOwnService({ environment, state: first.state }))
  const tenant = await first.tenant()
  const { build } = await uploadedBuild(first, tenant)
  await copyBuild(first, build.id, changeCount)
  const { rows } = await sql<{
    id: string
  }>`select id from builds where id like 'c%' and id <> ${build.id}`.execute(first.deps.db)
  await untilChangesAreSettled(first)
  const base = `/applications/${tenant.applicationId}`
  const key = tenant.workspaceKey
  const clients = Array.from({ length: clientCount }, (_, index) =>
    follow(index, { key, path: index % 2 === 0 ? `${base}/events` : '/workspace/events' }),
  )
  await Promise.all(clients.map(({ started }) => started))

  const progress = { done: 0 }
  const change = async (id: string, index: number) => {
    const headers = { 'idempotency-key': id }
    const release = { ...versionOf(index), title: id }
    await retry(index, ({ call }) => {
      if (index % 8 === 0) return call('DELETE', `${base}/builds/${id}`, { key })
      if (index % 8 === 1) return call('POST', `${base}/releases`, { key, headers, body: release })
      return call('PATCH', `${base}/builds/${id}`, { key, body: { notes: 'changed' } })
    })
    progress.done++
  }
  const changing = concurrently(writers, [...rows.entries()], ([index, { id }]) => change(id, index))
  for (let restart = 1; restart <= restartCount; restart++) {
    const goal = (changeCount * restart) / (restartCount + 1)
    while (progress.done < goal) await pause(5)
    const service = running.shift()!
    await service.stop()
    running.push(await startOwnService({ environment, state: first.state }))
  }
  await changing
  await Promise.all(clients.map(({ finished }) => finished))

  const { rows: expected } = await sql<{ change: string }>`
    select type || ' ' || resource_id as change from (
      select * from changes where owner_id = ${tenant.applicationId} order by position desc limit ${changeCount}
    ) as latest order by position, type collate "C", resource_id collate "C"`.execute(running[0]!.deps.db)
  for (const { received } of clients)
    assert.deepEqual(
      received,
      expected.map(({ change: text }) => text),
    )
  const connections = clients.map((client) => client.connections())
  assert.ok(Math.max(...connections) > 1)
  t.diagnostic(
    `${clientCount} clients, ${changeCount} changes, ${connections.reduce((a, b) => a + b)} connections`,
  )
})
