import assert from 'node:assert/strict'
import { rehashBuild } from '../src/features/builds/files/hash-file.job.ts'
import type { Service, Tenant } from './harness.ts'
import { until } from './until.ts'
import { put, uploadedBuild, versionOf } from './uploading.ts'

/** Returns functions that publish versions through a channel of a tenant and read its feeds. */
export function channelCalls(service: Service, tenant: Tenant) {
  const base = `/applications/${tenant.applicationId}`
  const send = (method: string, path: string, body?: unknown) =>
    service.call(method, `${base}${path}`, { key: tenant.workspaceKey, body })

  async function createChannel(fields: Record<string, unknown> = {}): Promise<{ id: string; url: string }> {
    const { status, body, text } = await send('POST', '/channels', {
      name: 'Stable',
      formats: ['json'],
      ...fields,
    })
    assert.equal(status, 201, text)
    return body.data
  }

  /** Adds a metadata artifact to a build. */
  async function addArtifact(buildId: string, filename: string, bytes: Buffer): Promise<void> {
    const key = tenant.applicationKey
    const body = { build_id: buildId, filename, size_bytes: bytes.length }
    const upload = await service.call('POST', '/upload/metadata/request', { key, body })
    assert.equal(upload.status, 200, upload.text)
    await put(upload.body.presigned_upload_data, bytes)
    const pending_upload_id = upload.body.metadata_pending_upload_id as string
    const verified = await service.call('POST', '/upload/metadata/verify', {
      key,
      body: { pending_upload_id },
    })
    assert.equal(verified.status, 200, verified.text)
  }

  /** Uploads a build, computes the checksums that a job adds later, and adds its companion files. */
  async function uploadVersion(
    [major, minor, patch]: [number, number, number],
    {
      filename,
      bytes,
      artifacts = {},
      ...fields
    }: { filename: string; bytes: Buffer; artifacts?: Record<string, Buffer | string> } & Record<
      string,
      unknown
    >,
  ): Promise<string> {
    const version = versionOf(major, minor, patch)
    const { build } = await uploadedBuild(
      service,
      tenant,
      { ...version, primary_file: { filename }, ...fields },
      bytes,
    )
    for (const [name, content] of Object.entries(artifacts))
      await addArtifact(build.id, name, Buffer.from(content))
    await rehashBuild(service.deps, build.id, new AbortController().signal)
    return build.id as string
  }

  /** Uploads a build of Harbor for any platform. */
  const uploadHarbor = (major: number): Promise<string> =>
    uploadVersion([major, 0, 0], {
      filename: `harbor-${major}.tar.gz`,
      bytes: Buffer.from(`harbor ${major}`),
    })

  /** Uploads a package and waits until its control data is read. */
  async function uploadPackage(
    version: [number, number, number],
    fields: { filename: string; bytes: Buffer; platform?: string },
  ): Promise<string> {
    const id = await uploadVersion(version, fields)
    await until(`${fields.filename} is read`, async () => {
      const { body } = await send('GET', `/builds/${id}`)
      assert.notEqual(body.data.processing, 'failed', body.data.processing_error)
      return body.data.processing === 'done'
    })
    return id
  }

  async function release(
    version: [number, number, number],
    buildIds: string[],
    fields: object = {},
  ): Promise<string> {
    const [major, minor, patch] = version
    const body = {
      title: `Harbor ${version.join('.')}`,
      ...versionOf(major, minor, patch),
      build_ids: buildIds,
      ...fields,
    }
    const { status, body: created, text } = await send('POST', '/releases', body)
    assert.equal(status, 201, text)
    return created.data.id as string
  }

  /** Waits until a feed has a response that fulfils the condition. */
  async function readUntil(
    url: string,
    isExpected: (response: { status: number; text: string; headers: Headers }) => boolean,
    options: { headers?: Record<string, string>; withinMs?: number } = {},
  ): Promise<{ status: number; text: string; headers: Headers }> {
    let last: { status: number; text: string; headers: Headers } | undefined
    const { headers = {}, ...rest } = options
    await until(
      `the expected response of ${url}`,
      async () => {
        last = await readFeed(url, headers)
        return isExpected(last)
      },
      rest,
    )
    return last ?? assert.fail('no response')
  }

  return { send, createChannel, addArtifact, uploadVersion, uploadHarbor, uploadPackage, release, readUntil }
}

/** Requests a path of a feed without following redirects. */
export async function readFeed(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(url, { headers: { accept: '*/*', ...headers }, redirect: 'manual', method })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Returns the version in a JSON feed; undefined if there is no update. */
export const versionIn = ({ text }: { text: string }): string | undefined =>
  text === '' ? undefined : (JSON.parse(text) as { version: string }).version

/** Returns whether a response of a JSON feed offers a version. */
export const offers =
  (version: string) =>
  (response: { status: number; text: string }): boolean =>
    response.status === 200 && versionIn(response) === version
