import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { startService, type Service, type Tenant } from './harness.ts'
import { untilChangesAreSettled } from './settled-changes.ts'
import { uploadedBuild } from './uploading.ts'

export type Build = {
  id: string
  version: string
  notes: string | null
  stream: { id: string; name: string }
  labels: { name: string }[]
  architectures: { identifier: string }[]
  primary_file: { checksum_md5: string | null; checksum_sha256: string | null }
  metadata_artifacts: { id: string }[]
}
export type Release = { id: string; title: string; build_ids: string[]; labels: { name: string }[] }
export type Change = {
  type: string
  id: string
  deleted: boolean
  build: Build | null
  release: Release | null
}

/** Starts a service, creates a tenant for each test, and returns functions that read the tenant's changes feed. */
export function createFeed() {
  let service: Service
  let tenant: Tenant
  let base: string
  before(async () => {
    service = await startService()
  })
  after(() => service.close())
  beforeEach(async () => {
    tenant = await service.tenant()
    base = `/applications/${tenant.applicationId}`
  })

  const call = async (method: string, path: string, body?: unknown) => {
    const response = await service.call(method, path, {
      key: tenant.workspaceKey,
      ...(body === undefined ? {} : { body }),
    })
    assert.ok(response.status < 300, `${method} ${path}: ${response.text}`)
    return response.body
  }
  const getNow = (query: string, key = tenant.workspaceKey) =>
    service.call('GET', `${base}/changes?${query}`, { key })

  /** Waits until no committed change is hidden, then returns a page of the feed. */
  async function get(query: string, key?: string) {
    await untilChangesAreSettled(service)
    return getNow(query, key)
  }

  /** Waits until no committed change is hidden, then reads to the end of the feed. */
  async function read(from?: string, limit = 100): Promise<{ changes: Change[]; cursor: string }> {
    await untilChangesAreSettled(service)
    return readOnce(from, limit)
  }

  /** Reads to the end of the feed without waiting for hidden changes. */
  async function readOnce(from?: string, limit = 100): Promise<{ changes: Change[]; cursor: string }> {
    const changes: Change[] = []
    for (let cursor = from; ;) {
      const { status, body, text } = await getNow(
        `limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`,
      )
      assert.equal(status, 200, text)
      assert.ok(body.data.length <= limit)
      changes.push(...body.data)
      cursor = body.cursor as string
      if (!body.has_more) return { changes, cursor }
    }
  }
  const upload = async (fields: Record<string, unknown> = {}): Promise<Build> =>
    (await uploadedBuild(service, tenant, fields)).build

  /** Makes a change, then reads the feed after `cursor`. Returns the changes and the IDs of the changed resources. */
  async function changedBy(change: () => Promise<unknown>, cursor: string) {
    await change()
    const found = await read(cursor)
    return { ...found, ids: found.changes.map(({ id }) => id).toSorted() }
  }

  return {
    service: () => service,
    tenant: () => tenant,
    base: () => base,
    call,
    get,
    read,
    readOnce,
    upload,
    changedBy,
  }
}
