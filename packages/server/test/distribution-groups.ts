import assert from 'node:assert/strict'
import type { Service, Tenant } from './harness.ts'

let made = 0

/** Groups and releases of one tenant, made by the API. */
export function groupCalls(service: Service, tenant: Tenant) {
  const { workspaceKey: key, applicationId } = tenant

  const send = (method: string, path = '', body?: unknown) =>
    service.call(method, `/distribution-groups${path}`, { key, body })

  async function group(emails: string[], fields: object = {}): Promise<string> {
    const answer = await send('POST', '', { name: `Group ${(made += 1)}`, ...fields })
    assert.equal(answer.status, 201, answer.text)
    const id = answer.body.data.id as string
    if (emails.length > 0) await add(id, emails)
    return id
  }

  async function add(id: string, emails: string[]): Promise<string[]> {
    const { status, body, text } = await send('POST', `/${id}/members`, { emails })
    assert.equal(status, 201, text)
    return body.data.map((member: { id: string }) => member.id)
  }

  async function release(buildIds: string[] = [], title = 'Big news'): Promise<string> {
    const { status, body, text } = await service.call('POST', `/applications/${applicationId}/releases`, {
      key,
      body: {
        title,
        notes: '# News',
        version_component_1_major: 1,
        version_component_2_minor: 2,
        version_component_3_patch: 3,
        build_ids: buildIds,
      },
    })
    assert.equal(status, 201, text)
    return body.data.id
  }

  const share = (groupId: string, release_id: string, notify = true) =>
    send('POST', `/${groupId}/releases`, { release_id, notify })

  /** The text of every mail to the address, oldest first. */
  async function mailsTo(email: string): Promise<string[]> {
    const rows = await service.deps.db
      .selectFrom('mails')
      .select('text_body')
      .where('workspace_id', '=', tenant.workspaceId)
      .where('recipient', '=', email)
      .orderBy('id')
      .execute()
    return rows.map(({ text_body }) => text_body)
  }

  return { send, group, add, release, share, mailsTo }
}

/** The personal link in the newest mail to this address. */
export async function groupLink(
  service: Service,
  { workspaceKey: key }: Tenant,
  email: string,
): Promise<string> {
  const { body } = await service.call('GET', '/workspace/outbox?sort=desc&per_page=100', { key })
  const mail = body.data.find(({ recipient }: { recipient: string }) => recipient === email)
  const url = /^http\S+\/group-links\/\S+$/m.exec(mail?.text_body ?? '')?.[0]
  if (url === undefined) throw new Error(`no mail with a link to ${email}`)
  return url
}
