import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { consoleRoutes } from '../build/console-routes.ts'
import { withoutChromium } from './chromium.ts'
import { fillRoute, sharedConsole, type Console } from './console.ts'
import { sectionsOf } from './sections.ts'
import { findBarriers, findOverflow, previewOf, type Visitor } from './visit.ts'

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

  for (const { width, colorScheme } of looks) {
    const other = colorScheme === 'light' ? 'dark' : 'light'
    test(`work at ${width} px`, async (context) => {
      const visitors = {
        inside: await console.newPage({ width, colorScheme }),
        outside: await console.newPage({ width, colorScheme, cookie: null }),
      }
      for (const { path, isPublic } of consoleRoutes()) {
        const visitor = isPublic ? visitors.outside : visitors.inside
        await context.test(path, async () => {
          const url = console.url + fillRoute(path, ids)
          await visitor.open(url)
          await visitor.page.emulateMedia({ colorScheme })
          const failures = [
            ...(await check(visitor)),
            ...(await unusedResponses(visitor)),
            ...(width === 1440 ? await checkPreview(visitor, url) : []),
          ]
          for (const section of await sectionsOf(visitor.page)) {
            await section.open(visitor)
            failures.push(...(await check(visitor)).map((failure) => `${section.name}: ${failure}`))
          }
          await visitor.page.emulateMedia({ colorScheme: other })
          failures.push(...visitor.takeProblems())
          assert.deepEqual([...new Set(failures)], [])
        })
      }
      for (const { page } of Object.values(visitors)) await page.context().close()
    })
  }
})

/** Returns the responses that the server has embedded in the document although the page does not use them. */
async function unusedResponses({ page }: Visitor): Promise<string[]> {
  const urls = await page
    .locator('script[data-url]')
    .evaluateAll((elements) => elements.map((element) => element.getAttribute('data-url')))
  return urls.map((url) => `does not use the embedded response to ${url}`)
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
