import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deviceCalls } from '../../../test/device-profiles.ts'
import { startOwnService, type Service, type Tenant } from '../../../test/harness.ts'
import { xmlPlist } from '../../../test/inspection/apple-packages.ts'
import { missing, runText } from '../../../test/inspection/programs.ts'
import { createPlistSigner, iphone, localUrl, pretendHttps, uploadIpa } from '../../../test/ios-builds.ts'
import { createBrowser, textOf } from '../../../test/page-browser.ts'
import { textOf as plistText } from '../../inspection/apple/plist-value.ts'
import { readPlist } from '../../inspection/apple/plist.ts'

const included = '00008110-000A1B2C3D4E5F60'
const udid = '00008140-001A2B3C4D5E6F70'

describe('registration of iPhones and iPads', { skip: missing('openssl', 'plistutil') }, () => {
  let service: Service
  let tenant: Tenant
  let buildPath: string
  const signer = createPlistSigner()
  const { sign } = signer
  let calls: ReturnType<typeof deviceCalls>
  const send: typeof calls.send = (url, body) => calls.send(url, body)
  const loadProfile: typeof calls.loadProfile = (url) => calls.loadProfile(url)
  const answer: typeof calls.answer = (challenge, fields) => calls.answer(challenge, fields)

  before(async () => {
    service = await startOwnService()
    tenant = await service.tenant()
    calls = deviceCalls(service, sign, udid)
    const { path } = await uploadIpa(service, tenant, sign, { devices: [included] })
    buildPath = path
    pretendHttps(service)
  })
  after(async () => {
    signer[Symbol.dispose]()
    await service.close()
  })

  const devices = async () =>
    (await service.call('GET', '/devices?sort_by=created_at', { key: tenant.workspaceKey })).body.data

  async function share(path = buildPath, { applicationKey: key } = tenant) {
    const { data } = (await service.call('POST', `${path}/share-links`, { key, body: {} })).body
    return { id: data.id as string, url: localUrl(service, data.short_url) }
  }

  test('sends a profile of Apple’s profile service', async () => {
    const { response, profile, content, bytes } = await loadProfile((await share()).url)
    assert.equal(response.headers['content-type'], 'application/x-apple-aspen-config')
    assert.equal(profile.get('PayloadType'), 'Profile Service')
    assert.equal(profile.get('PayloadVersion'), 1)
    assert.deepEqual(content.get('DeviceAttributes'), ['UDID', 'PRODUCT', 'VERSION'])
    assert.match(plistText(content, 'URL') ?? '', /^https:\/\/builds\.example\.com\/i\/s\.[^/?]+\/device$/)
    const printed = runText('plistutil', ['-f', 'xml', '-i', '-', '-o', '-'], bytes)
    assert.deepEqual(readPlist(Buffer.from(printed)), profile)
  })

  test('registers a device once and tells its browser what the device can install', async () => {
    const { id, url } = await share()
    const { browser, url: target, challenge } = await loadProfile(url)
    const body = answer(challenge)
    const response = await send(target, body)
    assert.equal(response.statusCode, 301)
    const confirmation = await browser.open(localUrl(service, String(response.headers.location)))
    assert.match(textOf(confirmation), /This iPhone is registered/)
    const page = await browser.open(url)
    assert.match(textOf(page), /This iPhone is not included yet.*Register this iPhone/)
    assert.doesNotMatch(page.text, /itms-services/)
    const [device, ...others] = await devices()
    assert.equal(others.length, 0)
    const { name, product, product_name, os_version, source, share_link_id } = device
    assert.deepEqual(
      { udid: device.udid, name, product, product_name, os_version, source, share_link_id },
      {
        udid,
        name: 'iPhone 16 Pro',
        product: 'iPhone17,1',
        product_name: 'iPhone 16 Pro',
        os_version: '22F76',
        source: 'share-link',
        share_link_id: id,
      },
    )
    const replayed = await send(target, body)
    assert.equal(replayed.statusCode, 410)
    assert.match(await replayed.body.text(), /device\.challenge_used/)
    const events = await service.deps.db
      .selectFrom('events')
      .select('data')
      .where('name', '=', 'device.registered')
      .where('workspace_id', '=', tenant.workspaceId)
      .execute()
    assert.deepEqual(
      events.map(({ data }) => (data as { device: { udid: string } }).device.udid),
      [udid],
    )
    const again = await loadProfile(url)
    const renewed = await send(again.url, answer(again.challenge, { VERSION: '23A100' }))
    assert.equal(renewed.statusCode, 301)
    assert.deepEqual(
      (await devices()).map((each: { os_version: string }) => each.os_version),
      ['23A100'],
    )
  })

  test('offers the installation to a device in the profile', async () => {
    const { url } = await share()
    const { browser, url: target, challenge } = await loadProfile(url)
    const { headers } = await send(target, answer(challenge, { UDID: included.toLowerCase() }))
    assert.match(
      textOf(await browser.open(localUrl(service, String(headers.location)))),
      /already includes it/,
    )
    const page = await browser.open(url)
    assert.match(textOf(page), /Install Quay.*Made for this iPhone/)
    assert.match(page.text, /itms-services/)
  })

  test('rejects challenges of other registrations, links and workspaces, and expired ones', async (context) => {
    const before = (await devices()).length
    const { url } = await share()
    const [one, other] = [await loadProfile(url), await loadProfile(url)]
    const foreignTenant = await service.tenant()
    Object.assign(service.deps.config, { publicUrl: service.url })
    const foreign = await uploadIpa(service, foreignTenant, sign)
    pretendHttps(service)
    const foreignLink = await loadProfile((await share(foreign.path, foreignTenant)).url)
    for (const challenge of [other.challenge, foreignLink.challenge, undefined, '', `${one.challenge}x`])
      assert.equal((await send(one.url, answer(challenge))).statusCode, 403, challenge)
    const moved = one.url.replace(/\/i\/s\.[^.]+/, /\/i\/s\.[^.]+/.exec(foreignLink.url)?.[0] ?? '')
    assert.equal((await send(moved, answer(one.challenge))).statusCode, 404)
    assert.equal((await send(one.url.replace('/i/s.', '/i/g.'), answer(one.challenge))).statusCode, 404)
    const { clock } = service.deps
    const later = clock.now().getTime() + 61 * 60_000
    const mock = context.mock.method(clock, 'now', () => new Date(later))
    assert.equal((await send(one.url, answer(one.challenge))).statusCode, 410)
    mock.mock.restore()
    assert.equal((await devices()).length, before)
    assert.equal((await send(one.url, answer(one.challenge, { UDID: 'a'.repeat(40) }))).statusCode, 301)
  })

  test('rejects bodies that no device sends', async () => {
    const { url, challenge } = await loadProfile((await share()).url)
    const good = answer(challenge)
    for (const body of [
      Buffer.alloc(0),
      Buffer.from('x'),
      good.subarray(0, good.length / 2),
      Buffer.from(xmlPlist('<dict/>')),
      sign('not a property list'),
      sign(xmlPlist('<array/>')),
      answer(challenge, { UDID: 'x' }),
    ])
      assert.equal((await send(url, body)).statusCode, 400)
    assert.equal((await send(url, Buffer.alloc(40_000))).statusCode, 413)
    assert.equal((await send(url, good)).statusCode, 301)
  })

  test('registers an identifier that a visitor enters', async () => {
    const { url } = await share()
    const browser = createBrowser(iphone)
    const page = await browser.open(`${url}/device`)
    const rejected = await browser.submit(page, 'Register', { udid: '"><b>1234' })
    assert.equal(rejected.status, 422)
    assert.match(rejected.text, /Enter 40 hexadecimal digits/)
    assert.doesNotMatch(rejected.text, /<b>/)
    const entered = 'ABCDEF0123456789abcdef0123456789abcdef01'
    const accepted = await browser.submit(page, 'Register', { udid: ` ${entered} ` })
    assert.equal(accepted.status, 303)
    const confirmation = await browser.open(localUrl(service, accepted.location ?? ''))
    assert.match(textOf(confirmation), /is registered/)
    const last = (await devices()).at(-1)
    assert.deepEqual([last.udid, last.name], [entered.toLowerCase(), 'iPhone or iPad'])
  })

  test('shows the registration in German and only while the link works', async () => {
    const { id, url } = await share()
    const browser = createBrowser(iphone)
    const page = await browser.open(`${url}/device`, { 'accept-language': 'de' })
    assert.match(textOf(page), /Dieses iPhone registrieren.*Profil laden/)
    const { url: target, challenge } = await loadProfile(url)
    await service.call('PATCH', `/share-links/${id}`, {
      key: tenant.applicationKey,
      body: { is_active: false },
    })
    assert.equal((await browser.open(`${url}/device`)).status, 410)
    assert.equal((await send(target, answer(challenge))).statusCode, 410)
  })

  test('asks for the password of a link first', async () => {
    const key = tenant.applicationKey
    const { data } = (
      await service.call('POST', `${buildPath}/share-links`, { key, body: { password: 'secret' } })
    ).body
    const url = localUrl(service, data.short_url)
    const browser = createBrowser(iphone)
    const page = await browser.open(`${url}/device`)
    assert.deepEqual([page.status, page.location], [303, url])
    await browser.submit(await browser.open(url), 'Continue', { password: 'secret' })
    assert.equal((await browser.open(`${url}/device`)).status, 200)
  })
})
