import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { startOwnService, type Service, type Tenant } from '../../../../test/harness.ts'
import { missing } from '../../../../test/inspection/programs.ts'
import {
  createPlistSigner,
  iosCalls,
  iphone,
  localUrl,
  manifestUrl,
  openOnIphone,
  secureUrl,
} from '../../../../test/ios-builds.ts'
import { createBrowser, textOf } from '../../../../test/page-browser.ts'
import { portalCalls, signInToPortal, visit } from '../../../../test/portals.ts'
import { versionOf } from '../../../../test/uploading.ts'
import { deviceCookie } from '../../installs/known-device.ts'

describe('installation from portals', { skip: missing('openssl', 'plistutil') }, () => {
  let service: Service
  let tenant: Tenant
  let calls: ReturnType<typeof portalCalls>
  let uploaded: Awaited<ReturnType<ReturnType<typeof iosCalls>['ipa']>>
  let releaseId: string
  const signer = createPlistSigner()

  before(async () => {
    service = await startOwnService()
    tenant = await service.tenant()
    calls = portalCalls(service, tenant)
    uploaded = await iosCalls(service, tenant, signer.sign).ipa()
  })
  after(async () => {
    signer[Symbol.dispose]()
    await service.close()
  })
  beforeEach(async () => {
    const { id } = await calls.releases.create({ ...versionOf((releases += 1)), build_ids: [uploaded.id] })
    releaseId = id
  })
  let releases = 0

  type Portal = { id: string; portal_url: string }
  const pageOf = ({ portal_url: url }: Portal) => localUrl(service, `${url}/releases/${releaseId}`)

  /** Returns the statuses of the manifest and the package, which a device requests without cookies. */
  async function install(url: string, name = 'app.ipa') {
    const get = async (path: string) =>
      (
        await fetch(localUrl(service, path), {
          redirect: 'manual',
          headers: { 'user-agent': 'appstored/1.0' },
        })
      ).status
    return [await get(url), await get(url.replace('manifest.plist', name))]
  }

  const downloadsOf = (portalId: string) =>
    service.deps.db
      .selectFrom('downloads')
      .select(['build_id', 'channel', 'email', 'is_install'])
      .where('portal_id', '=', portalId)
      .execute()

  test('installs from a public portal, and stops when the portal does not show the build', async () => {
    const portal = await calls.portal()
    const page = await openOnIphone(pageOf(portal))
    const url = manifestUrl(page) ?? assert.fail(textOf(page))
    assert.ok(url.startsWith(`${secureUrl}/i/p.${portal.id}.${uploaded.id}.`), url)
    assert.deepEqual(await install(url), [200, 302])
    assert.deepEqual(await install(url), [200, 302])
    const download = { build_id: uploaded.id, channel: 'portal', email: null, is_install: true }
    assert.deepEqual(await downloadsOf(portal.id), [download])
    const front = await openOnIphone(localUrl(service, portal.portal_url))
    assert.match(front.text, new RegExp(`class="button"\\s+href="/p/${portal.id}/releases/${releaseId}"`))
    await calls.send('PUT', `/portals/${portal.id}/applications/${tenant.applicationId}`, {
      streams_mode: 'none',
      releases_mode: 'selective',
    })
    assert.deepEqual(await install(url), [404, 404])
    await calls.send('POST', `/portals/${portal.id}/releases`, { release_id: releaseId })
    assert.deepEqual(await install(url), [200, 302])
    await calls.releases.withdraw(releaseId)
    assert.deepEqual(await install(url), [404, 404])
    await calls.send('PUT', `/portals/${portal.id}/applications/${tenant.applicationId}`, {
      streams_mode: 'all',
      releases_mode: 'none',
    })
    assert.deepEqual(await install(url), [200, 302])
    const path = `${portal.portal_url}/streams/${uploaded.build.stream.id}/builds/${uploaded.id}`
    const ofStream = manifestUrl(await openOnIphone(localUrl(service, path))) ?? assert.fail(path)
    assert.deepEqual(await install(ofStream), [200, 302])
    assert.equal((await downloadsOf(portal.id)).length, 2)
    await calls.send('PATCH', `/portals/${portal.id}`, { type: 'private' })
    assert.deepEqual(await install(url), [410, 410])
    await service.call('DELETE', `/portals/${portal.id}`, { key: tenant.workspaceKey })
    assert.deepEqual(await install(url), [404, 404])
  })

  test('installs from a private portal while it allows the visitor, who is recorded', async () => {
    const email = 'ana@example.com'
    const portal = await calls.portal({ type: 'private', allowed_visitors: [email] })
    assert.equal(manifestUrl(await openOnIphone(pageOf(portal))), undefined)
    const cookie = await signInToPortal(service, portal.id, { email })
    const open = () => createBrowser(iphone).open(pageOf(portal), { cookie })
    const page = await open()
    const url = manifestUrl(page) ?? assert.fail(textOf(page))
    assert.ok(!url.includes(email) && !url.includes(Buffer.from(email).toString('base64url')))
    assert.deepEqual(await install(url), [200, 302])
    assert.deepEqual(await downloadsOf(portal.id), [
      { build_id: uploaded.id, channel: 'portal', email, is_install: true },
    ])
    await calls.send('PATCH', `/portals/${portal.id}`, { allowed_visitors: ['other@example.com'] })
    assert.deepEqual(await install(url), [410, 410])
    await calls.send('PATCH', `/portals/${portal.id}`, { allowed_visitors: ['@example.com'] })
    assert.deepEqual(await install(url), [200, 302])
    await service.deps.db.deleteFrom('portal_sessions').where('portal_id', '=', portal.id).execute()
    assert.deepEqual(await install(url), [410, 410])
  })

  test('accepts a grant only for its portal and session', async () => {
    const portal = await calls.portal()
    const other = await calls.portal()
    const url = manifestUrl(await openOnIphone(pageOf(portal))) ?? assert.fail()
    assert.deepEqual(await install(url.replace(portal.id, other.id)), [404, 404])
    assert.deepEqual(await install(url.replace('/i/p.', '/i/s.')), [404, 404])
    assert.deepEqual(await install(url.replace(portal.id, `${portal.id}-${'a'.repeat(43)}`)), [404, 404])
  })

  test('offers the installation at a custom domain, without a registration of the device', async () => {
    const host = 'install.example.org'
    const portal = await calls.portal({ custom_domain: host })
    await service.deps.db
      .updateTable('portals')
      .set({ custom_domain_verified_at: new Date().toISOString() })
      .where('id', '=', portal.id)
      .execute()
    const headers = { host, 'user-agent': iphone }
    const page = await visit(service, `/releases/${releaseId}`, { headers })
    assert.match(page.text, /itms-services:[^"]+builds\.example\.com/)
    assert.match(page.text, /Only registered devices can install this app\./)
    assert.doesNotMatch(page.text, /\/device"/)
    const { name, value } = deviceCookie(service.deps, '00008140-00AA2B3C4D5E6F70')
    const cookie = `${name}=${value}`
    const known = await createBrowser(iphone).open(pageOf(await calls.portal()), { cookie })
    assert.match(textOf(known), /This iPhone is not included yet .*Ask the team to add it\./)
    assert.deepEqual([manifestUrl(known), /\/device"/.test(known.text)], [undefined, false])
  })
})
