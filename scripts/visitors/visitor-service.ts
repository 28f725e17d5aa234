import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startOwnService } from '../../packages/server/test/harness.ts'
import { createPlistSigner, pretendHttps } from '../../packages/server/test/ios-builds.ts'
import { createVisitorPages } from './create-pages.ts'
import type { VisitorPage } from './visitor-page.ts'
import { createVisitorWorld } from './visitor-world.ts'

const computer = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
const phone = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'

/** Starts a service with every page of visitors. Its public URL has HTTPS, but the pages are opened at its own address. */
export async function startVisitorService() {
  const service = await startOwnService()
  using signer = createPlistSigner()
  const world = await createVisitorWorld(service, signer.sign)
  const pages = await createVisitorPages(service, world)
  pretendHttps(service)

  /** Opens a page in a browser of its own, which `close` closes. */
  async function open(
    browser: Browser,
    { path, userAgent, headers = {}, cookie, isPlainHttp = false, entered }: VisitorPage,
    options: BrowserContextOptions & { width: number },
  ): Promise<{ page: Page; close: () => Promise<void> }> {
    const { width, ...others } = options
    const isPhone = width < 768
    const context = await browser.newContext({
      viewport: { width, height: isPhone ? 844 : 900 },
      isMobile: isPhone,
      hasTouch: isPhone,
      reducedMotion: 'reduce',
      locale: 'en-US',
      timezoneId: 'Europe/Lisbon',
      userAgent: userAgent ?? (isPhone ? phone : computer),
      extraHTTPHeaders: headers,
      ...others,
    })
    if (cookie !== undefined) await context.addCookies([{ ...cookie, url: service.url }])
    const page = await context.newPage()
    if (isPlainHttp) Object.assign(service.deps.config, { publicUrl: service.url })
    await page.goto(service.url + path)
    pretendHttps(service)
    // Each picture of the form for the code requests another code, and requests are limited.
    await service.deps.db.deleteFrom('portal_codes').execute()
    if (entered !== undefined) await submit(page, entered)
    return { page, close: () => context.close() }
  }

  async function submit(page: Page, { fields, action }: NonNullable<VisitorPage['entered']>): Promise<void> {
    for (const details of await page.locator('details').all())
      await details.evaluate(`(element) => element.setAttribute('open', '')`)
    for (const [id, value] of Object.entries(fields)) await page.fill(`#${id}`, value)
    const form = page.locator(`form[action="${action}"]`).first()
    await form.evaluate(`(element) => element.setAttribute('novalidate', '')`)
    await Promise.all([page.waitForEvent('load'), form.locator('button').first().click()])
  }

  return { url: service.url, pages, open, close: () => service.close() }
}
