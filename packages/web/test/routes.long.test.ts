import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { someOf } from '../../server/test/acceptance/full-size.ts'
import { consoleRoutes } from '../build/console-routes.ts'
import { requireEveryRoute } from '../build/route-paths.ts'
import { withoutChromium } from './chromium.ts'
import { fillRoute, sharedConsole, type Console } from './console.ts'
import { sectionsOf } from './sections.ts'
import { findBarriers, findMenuBarriers, findOverflow, previewOf, type Visitor } from './visit.ts'

const looks = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const

describe('pages of the console', { skip: withoutChromium }, () => {
  let console: Console
  let ids: Record<string, string>
  before(async () => {
    console = await sharedConsole()
    ids = (await console.fill()).ids
  })

  for (const [turn, { width, colorScheme }] of looks.entries()) {
    const other = colorScheme === 'light' ? 'dark' : 'light'
    test(`work at ${width} px`, async (context) => {
      const visitors = {
        inside: await console.newPage({ width, colorScheme }),
        outside: await console.newPage({ width, colorScheme, cookie: null }),
      }
      if (width === 390) for (const visitor of Object.values(visitors)) await visitor.open(console.url)
      for (const { path, isPublic } of consoleRoutes()) {
        const visitor = isPublic ? visitors.outside : visitors.inside
        await context.test(path, async () => {
          const url = console.url + fillRoute(path, ids)
          // Links within the console lead to the same pages.
          await (width === 390 ? visitor.navigate(fillRoute(path, ids)) : visitor.open(url))
          await visitor.page.emulateMedia({ colorScheme })
          const failures = [
            ...(await check(visitor)),
            ...(await checkPlace(visitor, path)),
            ...(await leftAlignedNumbers(visitor)),
            ...(await unusedResponses(visitor)),
            ...(width === 1440 ? await checkPreview(visitor, url) : []),
            ...(width === 1440 ? await cutCells(visitor) : []),
            ...(width === 1440 ? await overflowBetween(visitor) : []),
            ...(width === 390 ? await cutTabs(visitor) : []),
            ...(width === 390 ? await findMenuBarriers(visitor.page) : []),
            ...(width === 390 ? await unalignedOnPhone(visitor) : []),
          ]
          for (const section of someOf(await sectionsOf(visitor.page), looks.length, turn)) {
            await section.open(visitor)
            failures.push(...(await check(visitor)).map((failure) => `${section.name}: ${failure}`))
          }
          await visitor.page.emulateMedia({ colorScheme: other })
          failures.push(...visitor.takeProblems())
          assert.deepEqual([...new Set(failures)], [])
        })
      }
      if (width === 390)
        await context.test('/docs', async () => {
          const { page } = visitors.outside
          await page.goto(`${console.url}/docs`)
          const links = page.locator('nav li a')
          const urls = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))
          assert.notEqual(urls.length, 0)
          for (const url of urls) {
            await page.goto(url)
            assert.deepEqual(await findOverflow(page), [], url)
          }
        })
      for (const { page } of Object.values(visitors)) await page.context().close()
    })
  }

  const send = (method: string, path: string, accept: string) =>
    fetch(console.url + path, { method, headers: { accept } })

  test('returns 404 for unknown paths and addresses of portals, as a page to browsers', async () => {
    for (const path of [
      `/portals/${ids['portalId']}`,
      '/portals/downloads',
      '/.well-known/security.txt',
      '/.well-known/x',
      '/x',
      '/docs/x',
    ])
      for (const [accept, type] of [
        ['text/html', 'text/html'],
        ['application/json', 'application/json'],
        ['*/*', 'application/json'],
      ] as const)
        for (const method of ['GET', 'HEAD']) {
          const response = await send(method, path, accept)
          const { status, headers } = response
          const text = await response.text()
          assert.equal(status, 404, `${method} ${path} ${accept}`)
          assert.ok(headers.get('content-type')?.startsWith(type), `${path} ${accept}`)
          if (method === 'GET')
            assert.match(text, accept === 'text/html' ? /<h1>Page not found/ : /"message":"/)
        }
  })

  test('has icons and pages for every client, also for HEAD', async () => {
    for (const path of [
      '/',
      '/favicon.ico',
      '/favicon.svg',
      '/apple-touch-icon.png',
      '/robots.txt',
      '/docs',
      '/api/v1/docs',
      '/applications/x/builds/y',
    ])
      for (const method of ['GET', 'HEAD'])
        assert.equal((await send(method, path, '*/*')).status, 200, `${method} ${path}`)
    const reference = await send('GET', '/api/v1/docs', 'text/html')
    assert.match(await reference.text(), /<link rel="icon" href="..\/..\/favicon.svg"/)
    assert.match(reference.headers.get('content-security-policy') ?? '', /img-src 'self'/)
  })
})

/** Charts are drawn again some frames after the window has changed, which takes longer on a busy machine. */
const resizeWithinMs = 10_000

/** Returns what makes a page scroll sideways in windows that are narrower than the current one. */
async function overflowBetween({ page }: Visitor): Promise<string[]> {
  const failures: string[] = []
  const viewport = page.viewportSize()
  for (const width of [1024, 800]) {
    await page.setViewportSize({ width, height: 900 })
    const deadline = performance.now() + resizeWithinMs
    let overflow = await findOverflow(page)
    while (overflow.length > 0 && performance.now() < deadline) {
      await page.evaluate(() => new Promise(requestAnimationFrame))
      overflow = await findOverflow(page)
    }
    failures.push(...overflow)
  }
  if (viewport !== null) await page.setViewportSize(viewport)
  return failures
}

/** Returns the last tabs that stay cut at the edge of the window when their list is scrolled to its end. */
function cutTabs({ page }: Visitor): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('[role=tablist], main nav')].flatMap((list) => {
      const last = list.lastElementChild
      const before = list.scrollLeft
      list.scrollLeft = list.scrollWidth
      const right = last?.getBoundingClientRect().right ?? 0
      list.scrollLeft = before
      return right > window.innerWidth + 1 ? [`cuts the tab ${last?.textContent} at ${right} px`] : []
    }),
  )
}

/** Returns the tabs and primary buttons that do not begin where the content does, and what is visible below a button. */
function unalignedOnPhone({ page }: Visitor): Promise<string[]> {
  return page.evaluate(() => {
    const contentLeft = 16
    const leftOf = (node: Node) => {
      const range = document.createRange()
      range.selectNodeContents(node)
      return Math.round(range.getBoundingClientRect().left)
    }
    const lists = [...document.querySelectorAll('main nav, main [role=tablist]')].filter(
      (list) => list.clientHeight > 0,
    )
    const buttons = [...document.querySelectorAll('main [data-variant=filled]')].filter(
      (button) => getComputedStyle(button).position === 'fixed',
    )
    return [
      ...lists.flatMap((list) => {
        const tab = list.firstElementChild
        if (tab === null) return []
        const left = leftOf(tab) + list.scrollLeft
        return Math.abs(left - contentLeft) <= 1 ? [] : [`begins the tab ${tab.textContent} at ${left} px`]
      }),
      ...buttons.flatMap((button) => {
        const { left, right, bottom } = button.getBoundingClientRect()
        const below = document.elementFromPoint(window.innerWidth / 2, bottom + 4)
        return [
          ...(left === contentLeft && window.innerWidth - right === contentLeft
            ? []
            : [`shows the primary button from ${left} px to ${right} px`]),
          ...(below === button.parentElement
            ? []
            : [`shows "${below?.textContent}" below the primary button`]),
        ]
      }),
    ]
  })
}

/** Returns the texts in the builds list that are cut although the demo has only values of usual length. */
function cutCells({ page }: Visitor): Promise<string[]> {
  return page.locator('[role=table][aria-label=Builds] [role=cell]').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const failures: string[] = []
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const range = document.createRange()
        range.selectNodeContents(texts.currentNode)
        const { right } = range.getBoundingClientRect()
        for (let box = range.startContainer.parentElement; box !== null; box = box.parentElement) {
          const isClipped = getComputedStyle(box).overflowX !== 'visible'
          if (isClipped && right > box.getBoundingClientRect().right + 0.1)
            failures.push(`cuts "${range.toString()}" in the builds list`)
          if (box === cell) break
        }
      }
      return failures
    }),
  )
}

/** Returns the responses that the server has embedded in the document although the page does not use them. */
async function unusedResponses({ page }: Visitor): Promise<string[]> {
  const urls = await page
    .locator('script[data-url]')
    .evaluateAll((elements) => elements.map((element) => element.getAttribute('data-url')))
  return urls.map((url) => `does not use the embedded response to ${url}`)
}

/** Returns how a page of an application fails to say where it is: by its tab and by the title of the browser tab. */
async function checkPlace({ page }: Visitor, path: string): Promise<string[]> {
  if (!path.startsWith('/applications/$applicationId')) return []
  const tabs = page.locator('main nav').first()
  const name = await tabs.getAttribute('aria-label')
  const [, , , section = 'builds'] = path.replace('/views/', '/builds/').split('/')
  const current = await tabs.locator('a[aria-current=page]').allInnerTexts()
  const title = await page.title()
  return [
    ...(current.join().toLowerCase() === section ? [] : [`marks the tabs ${JSON.stringify(current)}`]),
    ...(title.startsWith(`${name} · `) ? [] : [`has the title "${title}" without "${name}"`]),
  ]
}

/** Returns the cells with sizes and ages in the builds list that are not aligned at their last digits. */
function leftAlignedNumbers({ page }: Visitor): Promise<string[]> {
  return page
    .locator('[data-column=size], [data-column=age]')
    .evaluateAll((cells) =>
      cells
        .filter((cell) => getComputedStyle(cell).textAlign !== 'right')
        .map((cell) => `does not align "${cell.textContent}" to the right`),
    )
}

/** Returns how the preview of the page differs from the page. */
async function checkPreview({ page }: Visitor, url: string): Promise<string[]> {
  const heading = await page.locator('h1:visible').innerText()
  const preview = await previewOf(page, url)
  const [, markup = ''] = /<h1[^>]*>(.*?)<\/h1>/s.exec(preview) ?? []
  const text = await page.evaluate((html) => {
    const { body } = new DOMParser().parseFromString(html, 'text/html')
    return body.textContent
  }, markup)
  return [
    ...(text === heading ? [] : [`shows "${text}" before its heading "${heading}"`]),
    ...(/<(input|select|textarea|script)|\sstyle=/.test(preview) ? ['has a preview that can be used'] : []),
  ]
}

/** Returns what is wrong with the page. */
async function check(visitor: Visitor): Promise<string[]> {
  const { page } = visitor
  const headings = await page.locator('h1:visible').allInnerTexts()
  const title = await page.title()
  return [
    ...visitor.takeProblems(),
    ...(headings.length === 1 && headings[0] !== '' ? [] : [`has the headings ${JSON.stringify(headings)}`]),
    ...(title.endsWith(' – Quayside') ? [] : [`has the title "${title}"`]),
    ...(await findOverflow(page)),
    ...(await findBarriers(page)),
  ]
}

const source = `
const home = createRoute({
  getParentRoute: () => root,
  path: '/home',
  component: lazyRouteComponent(() => import('./features/home-page.tsx'), 'HomePage'),
})
const other = createRoute({ path: '/other', getParentRoute: () => root, ...lazyPage('other') })
`

test('the build fails if a route of the router is written in a way that is not understood', () => {
  const routes = consoleRoutes(source)
  assert.deepEqual(
    routes.map(({ path }) => path),
    ['/home'],
  )
  requireEveryRoute(['/home'], routes)
  assert.throws(() => requireEveryRoute(['/home', '/other'], routes), /does not find.*: \/other$/)
  assert.throws(() => requireEveryRoute([], routes), /does not have: \/home$/)
})
