import assert from 'node:assert/strict'
import type { Service, Tenant } from './harness.ts'

/** Returns functions that manage the webhooks of an application through the API. */
export function webhookCalls(service: Service, { applicationId, applicationKey: key }: Tenant) {
  const send = (method: string, path = '', body?: unknown) =>
    service.call(method, `/applications/${applicationId}/webhooks${path}`, { key, body })

  return {
    send,
    async create(fields: object): Promise<string> {
      const { status, body, text } = await send('POST', '', { event: 'build.created', ...fields })
      assert.equal(status, 201, text)
      return body.data.id
    },
  }
}
