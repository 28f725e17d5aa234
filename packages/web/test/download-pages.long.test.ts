import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import jsQrModule from 'jsqr'
import type { Page } from 'playwright-core'
import { freePort } from '../../server/test/acceptance/free-port.ts'
import { groupCalls, groupLink } from '../../server/test/distribution-groups.ts'
import { startOwnService, type Service, type Tenant } from '../../server/test/harness.ts'
import { userAgents } from '../../server/test/page-browser.ts'
import { shareCalls } from '../../server/test/share-links.ts'
import { uploadedBuild } from '../../server/test/uploading.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { findBarriers, findOverflow, windowOf } from './visit.ts'

// The types of the package describe an ES module, but it is a CommonJS module.
const jsQr = jsQrModule as unknown as typeof jsQrModule.default

const publicUrl = 'https://builds.example.com'
const maxBytes = 50_000

describe('the pages of links', { skip: withoutChromium }, () => {
  let console: Console
  let service: Service
  /** The path of a page by what it shows. */
  const paths = new Map<string, string>()

  before(async () => {
    console = await sharedConsole()
    // The public URL must be one that phones can open, but the test calls the service at its own address.
    const first = await startOwnService()
    await createPages(first, await first.tenant())
    await first.stop()
    service = await startOwnService({
      state: first.state,
      environment: { QUAYSIDE_PUBLIC_URL: publicUrl, QUAYSIDE_PORT: String(await freePort()) },
    })
  })
  after(() => service?.close())

  async function createPages(created: Service, tenant: Tenant): Promise<void> {
    const calls = shareCalls(created, tenant)
    const upload = (platform: string, filename: string) =>
      uploadedBuild(created, tenant, {
        platform,
        primary_file: { filename, size_bytes: 1024 },
        notes: '- Faster **start**',
      })
    const { build: apk } = await upload('android', 'aurora-2.14.0-arm64-v8a.apk')
    const builds = [apk]
    for (const [platform, filename] of [
      ['windows', 'aurora-2.14.0-setup.exe'],
      ['linux', "aurora's 2.14.0.7z"],
      ['generic', 'aurora-2.14.0.sig'],
    ] as const)
      builds.push((await upload(platform, filename)).build)
    const path = `/applications/${tenant.applicationId}/builds/${apk.id}/share-links`
    const { data } = (await calls.send('POST', path, { max_downloads: 3 })).body
    paths.set('a build', new URL(data.short_url).pathname)
    paths.set('a release', new URL((await calls.createReleaseLink(builds)).url).pathname)
    const { group, release, share } = groupCalls(created, tenant)
    await share(await group(['tester@example.com']), await release(builds.map(({ id }) => id)))
    paths.set('a group', new URL(await groupLink(created, tenant, 'tester@example.com')).pathname)
  }

  type Look = { width?: number; colorScheme?: 'light' | 'dark'; userAgent?: string; isScanned?: boolean }

  async function open(
    path: string,
    { width = 1440, colorScheme = 'light', userAgent = userAgents.linux, isScanned = false }: Look,
    check: (page: Page, requests: string[]) => Promise<void>,
  ): Promise<void> {
    const context = await console.browser.newContext({
      ...windowOf(width),
      colorScheme,
      userAgent,
      bypassCSP: isScanned,
    })
    try {
      const page = await context.newPage()
      const requests: string[] = []
      page.on('request', (request) => void requests.push(request.url()))
      await page.goto(`http://localhost:${service.port}${path}`)
      await check(page, requests)
    } finally {
      await context.close()
    }
  }

  /** Reads the code from the pixels of its card, as a camera does. */
  async function scan(page: Page): Promise<string | undefined> {
    const png = await page.locator('.phone').screenshot()
    const { base64, width, height } = await page.evaluate(async (encoded) => {
      const picture = new Image()
      picture.src = `data:image/png;base64,${encoded}`
      await picture.decode()
      const { width, height } = picture
      const context = new OffscreenCanvas(width, height).getContext('2d')
      context?.drawImage(picture, 0, 0)
      const { data = [] } = context?.getImageData(0, 0, width, height) ?? {}
      const bytes = Array.from(data, (value) => String.fromCharCode(value)).join('')
      return { base64: btoa(bytes), width, height }
    }, png.toString('base64'))
    const pixels = new Uint8ClampedArray(Buffer.from(base64, 'base64'))
    return jsQr(pixels, width, height, { inversionAttempts: 'dontInvert' })?.data
  }

  for (const colorScheme of ['light', 'dark'] as const)
    test(`show a computer the code of their own address in ${colorScheme} mode`, async () => {
      for (const [name, path] of paths)
        await open(path, { colorScheme, isScanned: true }, async (page) => {
          const [, id] = /([^/]+)\/[^/]+$/.exec(path) ?? []
          const scanned = (await scan(page)) ?? assert.fail(`no code on the page of ${name}`)
          assert.ok(scanned.startsWith(`${publicUrl}/`), scanned)
          const target = `http://localhost:${service.port}${scanned.slice(publicUrl.length)}`
          if (name === 'a release') assert.match(scanned, new RegExp(`/s/${id}`))
          else assert.equal(scanned, publicUrl + path)
          const response = await page.request.get(target, { headers: { accept: 'text/html' } })
          assert.match(await response.text(), /<h1>App /)
        })
    })

  test('show no code on phones and tablets', async () => {
    for (const [userAgent, width] of [
      [userAgents.android, 360],
      [userAgents.ios, 390],
      // An iPad calls itself a Mac.
      [userAgents.macos, 360],
    ] as const)
      await open(paths.get('a build') ?? '', { width, userAgent }, async (page) => {
        assert.equal(await page.locator('.qr').filter({ visible: true }).count(), 0)
      })
  })

  for (const width of [1440, 360])
    test(`are small, accessible and complete at ${width} px`, async () => {
      for (const [index, [name, path]] of [...paths].entries())
        for (const colorScheme of index === 0 ? (['light', 'dark'] as const) : (['light'] as const)) {
          const userAgent = width === 360 ? userAgents.android : userAgents.linux
          await open(path, { width, colorScheme, userAgent }, async (page, requests) => {
            for (const details of await page.locator('details').all())
              await details.evaluate((element) => element.setAttribute('open', ''))
            assert.deepEqual(await findOverflow(page), [], name)
            assert.deepEqual(await findBarriers(page), [], name)
            const origins = new Set(requests.map((url) => new URL(url).origin))
            assert.deepEqual([...origins], [`http://localhost:${service.port}`], name)
            const { length } = Buffer.from(
              await (await page.request.get(page.url(), { headers: { accept: 'text/html' } })).text(),
            )
            assert.ok(length < maxBytes, `${name}: ${length} bytes`)
            assert.equal(await page.locator('script').count(), 0)
          })
        }
    })

  test('list every file for a computer with its size, checksum, signature state and command', async () => {
    await open(paths.get('a release') ?? '', {}, async (page) => {
      const list = page.locator('.checksums')
      await list.evaluate((element) => element.setAttribute('open', ''))
      const text = await list.innerText()
      for (const name of ['arm64-v8a.apk', 'setup.exe', "aurora's 2.14.0.7z", '2.14.0.sig'])
        assert.ok(text.includes(name), name)
      assert.equal(text.match(/1 KB · /g)?.length, 4, text)
      assert.equal(text.match(/\n[\da-f]{64}\n/g)?.length, 4, text)
      const commands = list.locator('code', { hasText: 'curl -fL' })
      assert.equal(await commands.count(), 4)
      // One click selects the whole command.
      const line = commands.first()
      assert.equal(await line.evaluate((element) => getComputedStyle(element).userSelect), 'all')
    })
  })
})
