import assert from 'node:assert/strict'
import type { Service, Tenant } from './harness.ts'
import { versionOf } from './uploading.ts'

let groupCount = 0

/** Returns functions that create groups and releases for a tenant through the API. */
export function groupCalls(service: Service, tenant: Tenant) {
  const { workspaceKey: key, applicationId } = tenant

  const send = (method: string, path = '', body?: unknown) =>
    service.call(method, `/distribution-groups${path}`, { key, body })

  async function group(emails: string[], fields: object = {}): Promise<string> {
    const response = await send('POST', '', { name: `Group ${(groupCount += 1)}`, ...fields })
    assert.equal(response.status, 201, response.text)
    const id = response.body.data.id as string
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
        ...versionOf(1, 2, 3),
        build_ids: buildIds,
      },
    })
    assert.equal(status, 201, text)
    return body.data.id
  }

  const share = (groupId: string, release_id: string, notify = true) =>
    send('POST', `/${groupId}/releases`, { release_id, notify })

  /** Returns the bodies of all emails to this address, oldest first. */
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

/** Returns the personal link in the most recent email to this address. */
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
