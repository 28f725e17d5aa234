import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { testBucket, type S3Server } from './acceptance/test-storage.ts'
import type { Service, Tenant } from './harness.ts'

export type Store = Record<string, unknown> & { prefix: string }

export type CustomStoreTests = ReturnType<typeof createCustomStoreTests>

/** Returns the calls with which tests use custom stores on an S3 server. */
export function createCustomStoreTests(service: Service, server: S3Server) {
  const responses: string[] = []

  const storeAt = (endpoint: string, fields: Record<string, unknown> = {}): Store => ({
    endpoint,
    bucket: testBucket,
    prefix: randomUUID(),
    access_key_id: server.accessKeyId,
    secret_access_key: server.secretAccessKey,
    ...fields,
  })

  async function call(method: string, { workspaceKey, applicationId }: Tenant, path: string, body?: object) {
    const response = await service.call(method, `/applications/${applicationId}${path}`, {
      key: workspaceKey,
      ...(body && { body }),
    })
    responses.push(response.text)
    return response
  }

  /** Creates an application whose uploads go to a store. */
  async function tenantWithStore(endpoint = server.endpoint) {
    const tenant = await service.tenant()
    const store = storeAt(endpoint)
    const { status, text } = await call('PUT', tenant, '/custom-store', store)
    assert.equal(status, 200, text)
    return { ...tenant, store }
  }

  async function download({ applicationId, applicationKey }: Tenant, buildId: string) {
    const path = `/applications/${applicationId}/builds/${buildId}/download`
    const { status, body } = await service.call('GET', path, { key: applicationKey })
    assert.equal(status, 200)
    const response = await fetch(body.primary_file.temp_url as string)
    // The URL of the bucket, to which `temp_url` redirects.
    const { url } = response
    return { url, status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  async function usage(tenant: Tenant) {
    const { body } = await call('GET', tenant, '')
    const { total_bytes, hosted_bytes, self_hosted_bytes } = body.data.storage_usage
    return { total_bytes, hosted_bytes, self_hosted_bytes }
  }

  return {
    storeAt,
    call,
    tenantWithStore,
    download,
    usage,
    /** The texts of all responses to `call`. */
    responses,
  }
}
