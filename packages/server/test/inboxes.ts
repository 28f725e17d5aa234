import assert from 'node:assert/strict'
import { hasUndispatchedEvents } from '../src/events/event.db.ts'
import type { Service, Tenant } from './harness.ts'
import { insertMember } from './people.ts'
import { until } from './until.ts'
import { uploadedBuild } from './uploading.ts'

type Person = { id: string; session: string }

/** Returns the functions with which tests of notifications act as members of a workspace. */
export function inboxes(service: () => Service) {
  const send = (key: string | null, method: string, to: string, body?: unknown) =>
    service().call(method, to, { key, body })
  async function succeed(key: string, method: string, to: string, body?: unknown) {
    const response = await send(key, method, to, body)
    assert.ok(response.status < 300, `${method} ${to}: ${response.text}`)
    return response.body
  }
  async function addPerson(tenant: Tenant, fields: Parameters<typeof insertMember>[2] = {}): Promise<Person> {
    const id = await insertMember(service(), tenant, fields)
    return { id, session: await service().signIn(id, tenant.workspaceId) }
  }
  const settled = () =>
    until('all events are dispatched', async () => !(await hasUndispatchedEvents(service().deps.db)))
  async function inboxOf({ session }: Person, query = '') {
    await settled()
    return (await succeed(session, 'GET', `/notifications${query}`)).data
  }
  const titlesOf = async (person: Person, query = ''): Promise<string[]> =>
    (await inboxOf(person, query)).map(({ title }: { title: string }) => title)
  const addRule = async ({ session }: Person, rule: object) =>
    (await succeed(session, 'POST', '/notification-rules', rule)).data
  const upload = async (tenant: Tenant, fields: Record<string, unknown> = {}) =>
    (await uploadedBuild(service(), tenant, fields)).build
  return { send, succeed, addPerson, settled, inboxOf, titlesOf, addRule, upload }
}
