import assert from 'node:assert/strict'
import { startService, type ApiResponse, type Service, type Tenant } from '../harness.ts'
import { emptyModel, newRef } from './model.ts'

/** Starts a service that all command sequences share. A restart waits until no requests are in progress. */
export async function createSharedService() {
  let service = await startService()
  const requests = { inFlight: 0 }
  let restarted: Promise<void> = Promise.resolve()
  const waiting: (() => void)[] = []

  const use = async <T>(work: (service: Service) => Promise<T>): Promise<T> => {
    await restarted
    requests.inFlight++
    try {
      return await work(service)
    } finally {
      if (--requests.inFlight === 0) for (const resolve of waiting.splice(0)) resolve()
    }
  }
  const restart = async (): Promise<void> => {
    const previous = restarted
    const done = Promise.withResolvers<void>()
    restarted = previous.then(() => done.promise)
    await previous
    while (requests.inFlight > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      await service.stop()
      service = await startService({ state: service.state })
    } finally {
      done.resolve()
    }
  }
  return { use, restart, close: () => service.close() }
}

export type Shared = Awaited<ReturnType<typeof createSharedService>>
export type Real = ReturnType<typeof createReal>

/** Creates a workspace with an application, and a model whose references map to the IDs in `real`. */
export async function createPair(shared: Shared) {
  const tenant = await shared.use((service) => service.tenant())
  const real = createReal(shared, tenant)
  const model = emptyModel()
  const { data } = (await real.send('GET', '/streams')).body
  for (const { id, name } of data as { id: string; name: string }[]) {
    const stream = { ref: newRef(model), name }
    model.streams.push(stream)
    real.ids.set(stream.ref, id)
  }
  return { model, real }
}

function createReal(shared: Shared, tenant: Tenant) {
  const ids = new Map<number, string>()
  let requestCount = 0
  const base = `/applications/${tenant.applicationId}`
  const call = (
    method: string,
    path: string,
    body?: unknown,
    key: string | null = tenant.workspaceKey,
  ): Promise<ApiResponse> => {
    requestCount++
    return shared.use((service) =>
      service.call(method, path, { key, ...(body === undefined ? {} : { body }) }),
    )
  }
  return {
    requests: () => requestCount,
    tenant,
    ids,
    call,
    restart: shared.restart,
    use: shared.use,
    send: (method: string, path: string, body?: unknown) => call(method, `${base}${path}`, body),
    /** Calls a share link without a key. Only the URL path is used, because a restart changes the port. */
    callPublic: (method: string, url: string, body?: unknown) =>
      call(method, url.replace(/^.*\/api\/v1/, ''), body, null),
    id(ref: number): string {
      const id = ids.get(ref)
      if (id === undefined) throw new Error(`the reference ${ref} has no id`)
      return id
    },
  }
}

/** Returns the response. Throws unless it has this status or, for 'success', a status below 300. */
export function expect(response: ApiResponse, status: number | 'success'): ApiResponse {
  const isExpected = status === 'success' ? response.status < 300 : response.status === status
  assert.ok(isExpected, `expected ${status}, got ${response.status} ${response.text.slice(0, 300)}`)
  return response
}
