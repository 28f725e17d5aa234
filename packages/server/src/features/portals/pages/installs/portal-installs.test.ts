import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { deviceCalls } from '../../../../../test/device-profiles.ts'
import { startOwnService, type Service, type Tenant } from '../../../../../test/harness.ts'
import { missing } from '../../../../../test/inspection/programs.ts'
import {
  createPlistSigner,
  iosCalls,
  iphone,
  localUrl,
  manifestUrl,
  openOnIphone,
  secureUrl,
} from '../../../../../test/ios-builds.ts'
import { createBrowser, textOf } from '../../../../../test/page-browser.ts'
import { portalCalls, signInToPortal, visit } from '../../../../../test/portals.ts'
import { versionOf } from '../../../../../test/uploading.ts'

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

  const udid = '00008140-001A2B3C4D5E6F70'
  const device = () => deviceCalls(service, signer.sign, udid)
  const devices = async () =>
    (await calls.send('GET', '/devices')) as { id: string; udid: string; [field: string]: unknown }[]
  const buildPage = ({ portal_url: url }: Portal) =>
    localUrl(service, `${url}/streams/${uploaded.build.stream.id}/builds/${uploaded.id}`)

  /** Deletes the devices that other tests have registered. */
  async function forgetDevices(): Promise<void> {
    for (const { id } of await devices())
      await service.call('DELETE', `/devices/${id}`, { key: tenant.workspaceKey })
  }

  test('registers a device once from a public portal, and tells its browser what it can install', async () => {
    const portal = await calls.portal({}, { streams_mode: 'all' })
    const { send, loadProfile, answer } = device()
    for (const url of [pageOf(portal), buildPage(portal)]) {
      await forgetDevices()
      const { browser, page, url: target, challenge } = await loadProfile(url)
      assert.match(textOf(page), /Acme builds.*Register this iPhone.*Load the profile/)
      const body = answer(challenge)
      const { statusCode, headers } = await send(target, body)
      assert.deepEqual(
        [statusCode, String(headers.location).split('?')[0]],
        [301, `${url.replace(service.url, secureUrl)}/device`],
      )
      const confirmation = await browser.open(localUrl(service, String(headers.location)))
      assert.match(textOf(confirmation), /Acme builds.*This iPhone is registered/)
      const known = await browser.open(url)
      assert.match(textOf(known), /This iPhone is not included yet.*Register this iPhone/)
      assert.equal(manifestUrl(known), undefined)
      const replayed = await send(target, body)
      assert.deepEqual([replayed.statusCode, (await devices()).length], [410, 1])
      const [registered] = await devices()
      const { source, portal_id, email, product_name } = registered!
      assert.deepEqual(
        { udid: registered!.udid, source, portal_id, email, product_name },
        { udid, source: 'portal', portal_id: portal.id, email: null, product_name: 'iPhone 16 Pro' },
      )
    }
  })

  test('records the visitor of a private portal with the device, which has no cookies', async () => {
    await forgetDevices()
    const email = 'ana@example.com'
    const portal = await calls.portal({ type: 'private', allowed_visitors: [email] })
    const { send, loadProfile, answer } = device()
    const closed = await createBrowser(iphone).open(`${pageOf(portal)}/device`)
    assert.deepEqual([closed.status, closed.location], [303, pageOf(portal)])
    const cookie = await signInToPortal(service, portal.id, { email })
    const { url: target, challenge } = await loadProfile(pageOf(portal), { cookie })
    assert.ok(!target.includes(email))
    const second = await loadProfile(pageOf(portal), { cookie })
    const { headers } = await send(target, answer(challenge))
    const confirmation = await createBrowser(iphone).open(localUrl(service, String(headers.location)), {
      cookie,
    })
    assert.match(textOf(confirmation), /This iPhone is registered/)
    const [registered] = await devices()
    assert.deepEqual([registered?.email, registered?.portal_id], [email, portal.id])
    await calls.send('PATCH', `/portals/${portal.id}`, { allowed_visitors: ['other@example.com'] })
    assert.equal((await send(second.url, answer(second.challenge))).statusCode, 410)
  })

  test('rejects challenges of other pages and portals, and pages that the portal no longer shows', async () => {
    await forgetDevices()
    const portal = await calls.portal({}, { streams_mode: 'all' })
    const { send, loadProfile, answer } = device()
    const one = await loadProfile(pageOf(portal))
    const others = [
      await loadProfile(pageOf(portal)),
      await loadProfile(buildPage(portal)),
      await loadProfile(pageOf(await calls.portal())),
    ]
    for (const { challenge } of others)
      assert.equal((await send(one.url, answer(challenge))).statusCode, 403, challenge)
    for (const [from, to] of [
      ['/i/p.', '/i/s.'],
      [portal.id, 'x'.repeat(10)],
      [`r-${releaseId}`, `r-${'x'.repeat(releaseId.length)}`],
    ] as const)
      assert.equal((await send(one.url.replace(from, to), answer(one.challenge))).statusCode, 404, to)
    await calls.releases.withdraw(releaseId)
    assert.equal((await send(one.url, answer(one.challenge))).statusCode, 404)
    assert.deepEqual(await devices(), [])
  })

  test('registers an identifier that a visitor enters at a custom domain', async () => {
    await forgetDevices()
    const host = 'install.example.org'
    const portal = await calls.portal({ custom_domain: host })
    await service.deps.db
      .updateTable('portals')
      .set({ custom_domain_verified_at: new Date().toISOString() })
      .where('id', '=', portal.id)
      .execute()
    const headers = { host, 'user-agent': iphone }
    const path = `/releases/${releaseId}`
    const page = await visit(service, path, { headers })
    assert.match(page.text, /itms-services:[^"]+builds\.example\.com/)
    assert.match(page.text, new RegExp(`href="${path}/device"`))
    const form = await visit(service, `${path}/device`, { headers })
    assert.match(form.text, /href="https:\/\/builds\.example\.com\/i\/p\.[^"]+\.mobileconfig"/)
    const body = new URLSearchParams({ udid: 'x' }).toString()
    const formHeaders = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
    const rejected = await visit(service, `${path}/device`, { method: 'POST', headers: formHeaders, body })
    assert.equal(rejected.status, 422)
    const sent = await visit(service, `${path}/device`, {
      method: 'POST',
      headers: formHeaders,
      body: new URLSearchParams({ udid: udid.toLowerCase() }).toString(),
    })
    const location = String(sent.headers.location)
    assert.ok(location.startsWith(`https://${host}${path}/device?registered=`), location)
    const confirmation = await visit(service, location.replace(`https://${host}`, ''), { headers })
    assert.match(confirmation.text, /is registered/)
    const [device] = String(confirmation.headers['set-cookie']).split(';')
    const known = await visit(service, path, { headers: { ...headers, cookie: device ?? '' } })
    assert.match(known.text, /not included yet/)
    assert.deepEqual(
      (await devices()).map(({ udid: each, portal_id }) => [each, portal_id]),
      [[udid, portal.id]],
    )
  })
})
