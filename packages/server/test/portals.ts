import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { request } from 'undici'
import type { Service, Tenant } from './harness.ts'
import { releaseCalls } from './releases.ts'
import { uploadedBuild, versionOf } from './uploading.ts'

/** Returns functions that create portals of a tenant and what they show through the API. */
export function portalCalls(service: Service, tenant: Tenant) {
  const { applicationId, workspaceKey: key } = tenant
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await service.call(method, path, { key, body })
    assert.ok(response.status < 300, response.text)
    return response.body.data
  }
  const releases = releaseCalls(service, tenant)

  return {
    send,
    releases,
    /** Creates a portal that shows all streams and releases of the application, and returns it. */
    async portal(fields: Record<string, unknown> = {}, modes: Record<string, unknown> = {}) {
      const { id } = await send('POST', '/portals', { name: 'Acme builds', type: 'public', ...fields })
      const shown = { streams_mode: 'none', releases_mode: 'all', ...modes }
      return send('PUT', `/portals/${id}/applications/${applicationId}`, shown)
    },
    /** Publishes a release with a build for each of these platforms, and returns it with the builds. */
    async release(
      version: readonly [number, number?, number?],
      { platforms = ['linux'], ...fields }: { platforms?: string[] } & Record<string, unknown> = {},
    ) {
      const builds = []
      for (const platform of platforms) {
        const ending = platform === 'android' ? 'apk' : 'zip'
        const filename = `aurora-${version.join('.')}-${platform}.${ending}`
        const { build, bytes } = await uploadedBuild(
          service,
          tenant,
          { platform, primary_file: { filename } },
          randomBytes(1000),
        )
        builds.push({ ...build, bytes })
      }
      const build_ids = builds.map(({ id }) => id as string)
      const release = await releases.create({ ...versionOf(...version), build_ids, ...fields })
      return { ...release, builds }
    },
    /** Verifies the custom domain of a portal with a DNS record. */
    async verifyDomain(portal: { id: string; custom_domain_verification: { name: string; value: string } }) {
      const { name, value } = portal.custom_domain_verification
      service.dns.responses.set(name, [value])
      return send('POST', `/portals/${portal.id}/custom-domain/verify`)
    },
  }
}

/** Sends a request as a browser does, to the address at which the service listens, with any headers. */
export async function visit(
  { port }: { port: number },
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const response = await request(`http://127.0.0.1:${port}${path}`, {
    method: method as 'GET',
    headers: { accept: 'text/html', ...headers },
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
}

/** Signs a visitor in to a private portal without the email, and returns the cookie of the session. */
export async function signInToPortal(
  { deps: { db } }: Service,
  portalId: string,
  { email, host = '' }: { email: string; host?: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('portal_sessions')
    .values({
      token_hash: hash('sha256', token, 'hex'),
      portal_id: portalId,
      email,
      host,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    .execute()
  return `quayside_portal=${token}`
}

/** Creates a public portal with the application and one of its releases. */
export async function publicPortal(
  service: Service,
  { applicationId, workspaceKey: key }: Tenant,
  release_id: string,
) {
  const id = (await service.call('POST', '/portals', { key, body: { name: 'Portal', type: 'public' } })).body
    .data.id as string
  const modes = { streams_mode: 'all', releases_mode: 'selective' }
  await service.call('PUT', `/portals/${id}/applications/${applicationId}`, { key, body: modes })
  const published = await service.call('POST', `/portals/${id}/releases`, { key, body: { release_id } })
  if (published.status !== 201) throw new Error(published.text)
  return id
}
