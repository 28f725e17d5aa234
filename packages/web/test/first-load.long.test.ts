import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { completePreviewIn, isEventStream, previewWithinMs } from './visit.ts'

const maxScriptBytes = 250 * 1024
const maxScripts = 30
const maxLayoutShift = 0.02

/** How many scripts the documents of a route name at most; two more than in November 2026. */
const maxNamedScripts = 51
const maxNamedScriptsOf: Readonly<Record<string, number>> = {
  'applications/$applicationId/releases/$releaseId': 65,
  'applications/$applicationId/builds/$buildId': 52,
}

const pages = [
  { name: 'home', path: () => '/' },
  { name: 'builds', path: (id: string) => `/applications/${id}` },
]

describe('the first load of the console', { skip: withoutChromium }, () => {
  let console: Console
  before(async () => {
    console = await sharedConsole()
    await console.fill()
  })

  for (const { path, isSignedIn } of [
    { path: '/', isSignedIn: true },
    { path: '/sign-in', isSignedIn: false },
  ])
    for (const width of [1440, 390])
      test(`of ${path} at ${width} px is small and does not move`, async (context) => {
        const look = { width, ...(isSignedIn ? {} : { cookie: null }) }
        let load = await measureLoad(look, path)
        // A busy server sends a page without its preview, which the content then moves into place.
        for (
          const deadline = performance.now() + previewWithinMs;
          !load.hasPreview && performance.now() < deadline;
        )
          load = await measureLoad(look, path)
        const { bytes, files, styles, shift } = load
        context.diagnostic(
          `${(bytes / 1024).toFixed(0)} KB of JavaScript in ${files} files, layout shift ${shift.toFixed(4)}`,
        )
        assert.ok(files <= maxScripts, `${files} scripts`)
        assert.equal(styles, 1)
        assert.ok(bytes > 0 && bytes <= maxScriptBytes, `${bytes} bytes of JavaScript`)
        assert.ok(shift <= maxLayoutShift, `layout shift ${shift}`)
      })

  test('names few scripts in the document of every route', async () => {
    const manifest = await readFile(new URL('../dist/first-loads.json', import.meta.url), 'utf8')
    for (const { path, scripts } of JSON.parse(manifest) as { path: string[]; scripts: string[] }[]) {
      const route = path.join('/')
      const max = maxNamedScriptsOf[route] ?? maxNamedScripts
      assert.ok(scripts.length <= max, `/${route} names ${scripts.length} scripts, more than ${max}`)
    }
  })

  /** Opens a page in a new context and measures its scripts and how far its content moves. */
  async function measureLoad(look: Parameters<Console['newPage']>[0], path: string) {
    const visitor = await console.newPage(look)
    const { page } = visitor
    const scripts = new Map<string, Promise<Buffer>>()
    let html = Promise.resolve('')
    let styles = 0
    page.on('response', (response) => {
      const type = response.request().resourceType()
      if (type === 'stylesheet') styles++
      else if (type === 'script') scripts.set(response.url(), response.body())
      else if (type === 'document') html = response.text()
    })
    await page.addInitScript(() => {
      const total = { shift: 0 }
      Object.assign(globalThis, { layout: total })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          total.shift += (entry as PerformanceEntry & { value: number }).value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await visitor.open(console.url + path)
    const bodies = await Promise.all(scripts.values())
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
    const shift = await page.evaluate(
      () => (globalThis as unknown as { layout: { shift: number } }).layout.shift,
    )
    const hasPreview = completePreviewIn(await html) !== undefined
    await page.context().close()
    return { bytes, files: bodies.length, styles, shift, hasPreview }
  }

  for (const { name, path } of pages) {
    test(`of the page ${name} sends no request to the API except for the event stream`, async () => {
      const { ids } = await console.fill()
      const url = console.url + path(ids['applicationId'] ?? '')
      let requested: string[]
      let loads = 0
      do {
        requested = []
        let html = Promise.resolve('')
        const visitor = await console.newPage()
        const { page } = visitor
        page.on('request', (request) => requested.push(request.url().slice(console.url.length)))
        page.on('response', (response) => {
          if (response.request().resourceType() === 'document') html = response.text()
        })
        const streaming = page.waitForResponse((response) => isEventStream(response.url()))
        await visitor.open(url)
        await streaming
        // The page waits 300 ms before it loads what has changed.
        await page.waitForTimeout(600)
        // A busy server sends a page without its data, which the page then requests.
        if (completePreviewIn(await html) !== undefined) loads++
        await page.context().close()
        requested = requested.filter(
          (each) => /^\/api\/v1\/(?!public\/icons\/)/.test(each) && !isEventStream(each),
        )
        // Jobs of other tests may change the data during a load.
      } while (requested.length > 0 && loads < 10)
      assert.deepEqual(requested, [])
    })

    test(`of the page ${name} shows its content before its scripts run`, async () => {
      const { ids } = await console.fill()
      const url = console.url + path(ids['applicationId'] ?? '')
      const visitor = await console.newPage()
      const { page } = visitor
      await page.route(/\/assets\/main-[^/]*\.js/, () => {})
      let html: string | undefined
      // A busy server leaves the preview out, or shows placeholders in it.
      do html = await (await page.goto(url))?.text()
      while (completePreviewIn(html ?? '') === undefined)
      assert.ok(await page.getByRole('heading', { level: 1 }).isVisible())
      const links = page.locator('main a[href*="/applications/"]')
      assert.ok((await links.count()) > 0, 'the page shows no links to applications or builds')
      assert.ok(await links.first().isVisible())
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'BODY')
      assert.deepEqual(visitor.takeProblems(), [])
      await page.context().close()
    })
  }

  test('says that the console could not be loaded', async () => {
    const { page } = await console.newPage()
    await page.route(/\/assets\/main-[^/]*\.js/, (route) => route.abort())
    await page.goto(console.url)
    await page.getByRole('heading', { name: 'The console could not be loaded' }).waitFor()
    assert.equal(await page.locator('#stalled').count(), 0)
    await page.context().close()
  })

  test('says that scripts are blocked if none of them can be loaded', async () => {
    const { page } = await console.newPage()
    await page.route(/\.js(?:\?|$)/, (route) => route.abort())
    await page.goto(console.url)
    const heading = page.getByRole('heading', { name: 'The console is not loading' })
    assert.equal(await heading.isVisible(), false)
    // Ends the delay, after which the message appears.
    await page.locator('#stalled').evaluate((message) => {
      for (const animation of message.getAnimations()) animation.finish()
    })
    await heading.waitFor()
    await page.context().close()
  })

  test('says that the console needs JavaScript if scripts are turned off', async () => {
    const context = await console.browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(console.url)
    await page.getByRole('heading', { name: 'The console needs JavaScript' }).waitFor()
    assert.equal(await page.locator('#stalled').isVisible(), false)
    await context.close()
  })
})
