import assert from 'node:assert/strict'
import { startService, type Answer, type Service, type Tenant } from '../harness.ts'
import { emptyModel, newRef } from './model.ts'

/** The service that every sequence shares; a restart waits until nobody asks it anything. */
export async function createSharedService() {
  let service = await startService()
  const asking = new Set<object>()
  let turn: Promise<void> = Promise.resolve()
  const waiting: (() => void)[] = []

  const use = async <T>(work: (service: Service) => Promise<T>): Promise<T> => {
    await turn
    const mine = {}
    asking.add(mine)
    try {
      return await work(service)
    } finally {
      asking.delete(mine)
      if (asking.size === 0) for (const go of waiting.splice(0)) go()
    }
  }
  const restart = async (): Promise<void> => {
    const before = turn
    const done = Promise.withResolvers<void>()
    turn = before.then(() => done.promise)
    await before
    while (asking.size > 0) await new Promise<void>((go) => waiting.push(go))
    try {
      await service.stop()
      service = await startService({ place: service.place })
    } finally {
      done.resolve()
    }
  }
  return { use, restart, close: () => service.close() }
}

export type Shared = Awaited<ReturnType<typeof createSharedService>>
export type Real = ReturnType<typeof createReal>

/** One workspace with its application, and the ids that stand for the references of the model. */
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
  const count = { requests: 0 }
  const at = `/applications/${tenant.applicationId}`
  const any = (
    method: string,
    path: string,
    body?: unknown,
    key: string | null = tenant.workspaceKey,
  ): Promise<Answer> => {
    count.requests++
    return shared.use((service) =>
      service.call(method, path, { key, ...(body === undefined ? {} : { body }) }),
    )
  }
  return {
    requests: () => count.requests,
    tenant,
    ids,
    any,
    restart: shared.restart,
    use: shared.use,
    send: (method: string, path: string, body?: unknown) => any(method, `${at}${path}`, body),
    /** As somebody without a key; the link's own path, since the port changes with a restart. */
    visit: (method: string, url: string, body?: unknown) =>
      any(method, url.replace(/^.*\/api\/v1/, ''), body, null),
    id(ref: number): string {
      const id = ids.get(ref)
      if (id === undefined) throw new Error(`the reference ${ref} has no id`)
      return id
    },
  }
}

/** What came back must be that status, or any success. */
export function expect(answer: Answer, status: number | 'success'): Answer {
  const fits = status === 'success' ? answer.status < 300 : answer.status === status
  assert.ok(fits, `expected ${status}, got ${answer.status} ${answer.text.slice(0, 300)}`)
  return answer
}
