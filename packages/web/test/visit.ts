import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page, Request } from 'playwright-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the options of a browser window of this width. A narrow one is that of a phone. */
export function windowOf(width: number) {
  const isPhone = width < 768
  return { viewport: { width, height: isPhone ? 844 : 900 }, hasTouch: isPhone, isMobile: isPhone }
}

export type Visitor = ReturnType<typeof observe>

/** Returns whether a request for the URL stays open for as long as the page does. */
export const isEventStream = (url: string): boolean => /\/events(\?|$)/.test(url)

/** Collects what must not happen on a page of the console, and waits until a page has loaded its content. */
export function observe(page: Page) {
  const problems: string[] = []
  const open = new Set<Request>()
  page.on('console', (message) => {
    const { url } = message.location()
    // The console asks for the session first. Without one, Chromium reports the status as an error.
    if (url.endsWith('/api/v1/session') && message.text().includes('401')) return
    // The font is used once text is shown. Chromium reports this a few seconds after the page has loaded, by which time only a busy machine still shows it.
    if (/\.woff2 was preloaded using link preload but not used/.test(message.text())) return
    if (['error', 'warning'].includes(message.type()))
      problems.push(`${message.type()} in the console: ${message.text().slice(0, 400)} (${url})`)
  })
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('request', (request) => {
    if (!isEventStream(request.url())) open.add(request)
  })
  page.on('requestfinished', (request) => void open.delete(request))
  page.on('requestfailed', (request) => void open.delete(request))

  /** Waits until the page has a heading and neither placeholders nor open requests. */
  async function settle(): Promise<void> {
    const deadline = performance.now() + 60_000
    const isReady = () =>
      page.evaluate(
        () =>
          new Promise<boolean>((resolve) => {
            requestAnimationFrame(() =>
              requestAnimationFrame(() =>
                resolve(
                  document.querySelector('h1') !== null &&
                    document.querySelector('#preview') === null &&
                    document.querySelector('[data-animate="true"],[aria-busy="true"]') === null,
                ),
              ),
            )
          }),
      )
    for (let quiet = 0; quiet < 2;) {
      if (performance.now() > deadline) {
        const urls = [...open].map((request) => request.url())
        throw new Error(`${page.url()} has not finished loading. Open requests: ${urls.join(', ') || 'none'}`)
      }
      quiet = (await isReady()) && open.size === 0 ? quiet + 1 : 0
    }
  }

  return {
    page,
    settle,
    async open(url: string): Promise<void> {
      await page.goto(url)
      await settle()
    },
    /** Follows a link within the console, which loads no new document. */
    async navigate(path: string): Promise<void> {
      await page.evaluate((to) => history.pushState({}, '', to), path)
      await settle()
    },
    /** Returns the problems since the last call. */
    takeProblems: (): string[] => problems.splice(0),
  }
}

/** Rules that axe rates as moderate or minor. */
const moreRules = new Set(['landmark-unique', 'empty-table-header'])

/** Omits two rules that axe rates as moderate and that take a fifth of the time: one of them reads every stylesheet. */
const axeOptions = {
  resultTypes: ['violations'],
  rules: { region: { enabled: false }, 'no-autoplay-audio': { enabled: false } },
}

/**
 * Returns what axe finds on the page, or in the element with the selector, with the impact `serious` or `critical`, and
 * violations of some other rules.
 */
export async function findBarriers(page: Page, selector = ':root'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(selector)}, ${JSON.stringify(axeOptions)}).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({
      id, impact, nodes: nodes.map(({ target, failureSummary }) => target.join(' ') + ': ' + failureSummary) })))`,
  )) as { id: string; impact: string; nodes: string[] }[]
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || moreRules.has(id))
    .map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.slice(0, 3).join(' | ')}`)
}

/** Returns the barriers in the first and the last menu of the page. */
export async function findMenuBarriers(page: Page): Promise<string[]> {
  const buttons = page.locator('main button[aria-haspopup=menu]:visible')
  const count = await buttons.count()
  const failures: string[] = []
  for (const index of new Set(count === 0 ? [] : [0, count - 1])) {
    await buttons.nth(index).click()
    const menu = page.getByRole('menu')
    await menu.waitFor()
    failures.push(...(await findBarriers(page, '[role=menu]')))
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
  }
  return failures
}

/** Returns the elements that are wider than the window, if the page scrolls horizontally. */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= width) return []
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > width + 1,
    )
    return [
      `scrolls to ${document.documentElement.scrollWidth} px of ${width} px`,
      ...wide.slice(0, 3).map(({ outerHTML }) => outerHTML.slice(0, 120)),
    ]
  })
}

/**
 * How long to wait for a page with a preview. The server sends pages without one for a minute if drawing a page took more
 * than 10 s.
 */
export const previewWithinMs = 180_000

/** Returns the preview in a document, or undefined if there is none or it shows placeholders. */
export function completePreviewIn(html: string): string | undefined {
  const [, preview] = /<div id="preview" inert>(.*?)<script src="\.\/preview-styles\.js">/s.exec(html) ?? []
  return preview?.includes('mantine-Skeleton') === true ? undefined : preview
}

/** Returns the preview of a page. A busy server leaves it out, or shows placeholders or no heading in it. */
export async function previewOf({ request }: Page, url: string): Promise<string> {
  const deadline = performance.now() + previewWithinMs
  for (;;) {
    const html = await (await request.get(url, { headers: { accept: 'text/html' } })).text()
    const preview = completePreviewIn(html)
    if (preview?.includes('<h1') === true) return preview
    if (performance.now() > deadline) throw new Error(`${url} has no complete preview: ${html}`)
  }
}
