import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startOwnService, type Service } from '../../../test/harness.ts'
import { missing } from '../../../test/inspection/programs.ts'
import {
  createPlistSigner,
  iosCalls,
  iphone,
  manifestUrl,
  openOnIphone,
  pretendHttps,
  safari,
} from '../../../test/ios-builds.ts'
import { createBrowser, textOf } from '../../../test/page-browser.ts'

describe('page of a build for iPhones and iPads', { skip: missing('openssl', 'plistutil') }, () => {
  let service: Service
  let calls: ReturnType<typeof iosCalls>
  const signer = createPlistSigner()

  before(async () => {
    service = await startOwnService()
    calls = iosCalls(service, await service.tenant(), signer.sign)
  })
  after(async () => {
    signer[Symbol.dispose]()
    await service.close()
  })

  test('explains what prevents the installation, in English and German', async () => {
    const soon = new Date(Date.now() - 1000)
    const cases: [Parameters<typeof calls.ipa>[0], string, RegExp, RegExp][] = [
      [{ type: 'appstore' }, iphone, /Only for the App Store/, /Nur für den App Store/],
      [{ expires: soon }, iphone, /This build has expired/, /Dieser Build ist abgelaufen/],
      [undefined, safari('14.2'), /Requires iOS 15\.0.*has iOS 14\.2/, /Benötigt iOS 15\.0.*hat iOS 14\.2/],
      [
        undefined,
        iphone.replace('Version/17.5', 'CriOS/140.0'),
        /Open this page in Safari/,
        /Öffnen Sie diese Seite in Safari/,
      ],
      [
        undefined,
        iphone.replace(/ Version.*/, ' Mobile/15E148 Slack'),
        /Copy this link/,
        /Kopieren Sie diesen Link/,
      ],
    ]
    for (const [options, agent, english, german] of cases) {
      const { url } = await calls.share((await calls.ipa(options)).path)
      const page = await openOnIphone(url, agent)
      assert.match(textOf(page), english)
      assert.equal(manifestUrl(page), undefined)
      const translated = await createBrowser(agent).open(url, { 'accept-language': 'de' })
      assert.match(textOf(translated), german)
    }
  })

  test('explains that iOS needs HTTPS', async () => {
    const { path } = await calls.ipa()
    const { url } = await calls.share(path)
    Object.assign(service.deps.config, { publicUrl: service.url })
    const page = await openOnIphone(url)
    pretendHttps(service)
    assert.match(textOf(page), /This page is not secure/)
    assert.equal(manifestUrl(page), undefined)
  })

  test('explains trust, the restart and Developer Mode', async () => {
    const text = async (type: 'enterprise' | 'development' | 'adhoc') =>
      textOf(await openOnIphone((await calls.share((await calls.ipa({ type })).path)).url))
    assert.match(await text('enterprise'), /VPN & Device Management.*restart the device/)
    assert.match(await text('development'), /Developer Mode/)
    assert.doesNotMatch(await text('adhoc'), /Developer Mode|VPN/)
  })

  test('lets the owner of an iPad, which reports itself as a Mac, choose the installation', async () => {
    const { url } = await calls.share((await calls.ipa()).path)
    const agent =
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15'
    const page = await openOnIphone(url, agent)
    assert.equal(manifestUrl(page), undefined)
    const [, path = ''] = /href="([^"]+)">On an iPad\?/.exec(page.text) ?? []
    assert.notEqual(manifestUrl(await openOnIphone(new URL(path, url).href, agent)), undefined)
  })
})
