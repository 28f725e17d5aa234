import assert from 'node:assert/strict'
import type { Service, Tenant } from './harness.ts'
import { uploadedBuild } from './uploading.ts'

/** Returns functions that create share links for a tenant through the API. */
export function shareCalls(service: Service, tenant: Tenant) {
  const send = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { key: tenant.applicationKey, body })

  async function createLink(fields: Record<string, unknown> = {}, upload: Record<string, unknown> = {}) {
    const { build, bytes } = await uploadedBuild(service, tenant, upload)
    const path = `/applications/${tenant.applicationId}/builds/${build.id}/share-links`
    const { data } = (await send('POST', path, fields)).body
    const count = async () => (await send('GET', path)).body.data[0].download_count as number
    const { id, url, short_url: shortUrl } = data as Record<'id' | 'url' | 'short_url', string>
    return { build, bytes, id, url, shortUrl, count }
  }

  async function createReleaseLink(builds: { id: string }[], fields: Record<string, unknown> = {}) {
    const release = await send('POST', `/applications/${tenant.applicationId}/releases`, {
      title: 'Spring',
      version_component_1_major: 2,
      version_component_2_minor: 1,
      version_component_3_patch: 0,
      build_ids: builds.map(({ id }) => id),
      ...fields,
    })
    const path = `/applications/${tenant.applicationId}/releases/${release.body.data.id}`
    const { data } = (await send('POST', `${path}/share-links`, {})).body
    return { path, url: data.url as string }
  }

  return { send, createLink, createReleaseLink }
}

/** Returns the bytes of the file to which a download was redirected. */
export async function fileOf(location: string | undefined): Promise<Buffer> {
  return Buffer.from(await (await fetch(location ?? assert.fail('no redirect'))).arrayBuffer())
}
