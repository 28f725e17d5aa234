import type { Page } from 'playwright-core'
import { createClient } from '../packages/sdk/src/client.ts'
import { launchChromium } from '../packages/web/test/chromium.ts'
import { observe } from '../packages/web/test/visit.ts'
import { insertManyBuilds } from '../scripts/demo/many-builds.db.ts'
import { startDemo } from '../scripts/demo/start-demo.ts'
import { median, option, save, textOption } from './report.ts'

// B10 measures the console in Chromium: the largest contentful paint with a CPU slowed by four, and the time from a
// keystroke or click in a list of 100,000 builds to the painted rows.
const rounds = option('rounds', 5)
const builds = option('builds', 100_000)
const folder = textOption('folder', '/tmp/quayside-bench-console')

const demo = await startDemo({ folder, port: 0, size: 'small', log: console.log })
const client = createClient({ baseUrl: demo.url, apiKey: demo.key })
const [application] = (await client.listApplications({ sort_by: 'name', sort: 'asc' })).data
if (application === undefined) throw new Error('The demo has no applications.')
const path = `/applications/${application.id}`
const { data, pagination } = await client.listBuilds({ application_id: application.id, per_page: 1 })
if (pagination.total < builds)
  await insertManyBuilds({
    databaseUrl: demo.databaseUrl,
    applicationId: application.id,
    buildId: data[0]?.id ?? '',
    count: builds,
  })

const browser = await launchChromium()
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
const signedIn = await context.request.post(`${demo.url}/api/auth/sign-in/email`, {
  data: { email: demo.email, password: demo.password },
  headers: { origin: demo.url },
})
if (!signedIn.ok()) throw new Error(await signedIn.text())

/** Returns the largest contentful paint in ms, with a cold cache. */
async function largestPaint(url: string): Promise<number> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await observe(page).open(url)
  const paint = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      }),
  )
  await page.close()
  return paint
}

/** Returns the time in ms from an action to the first frame whose list shows its result. */
async function timeToRows(page: Page, act: () => Promise<unknown>, query: RegExp): Promise<number> {
  await page.evaluate(() => {
    const shown = document.querySelector('main a[href*="/builds/"]')?.getAttribute('href')
    Object.assign(globalThis, { before: shown, startedAt: 0 })
    const start = () => Object.assign(globalThis, { startedAt: performance.now() })
    addEventListener('keydown', start, { once: true, capture: true })
    addEventListener('pointerdown', start, { once: true, capture: true })
  })
  const response = page.waitForResponse((each) => query.test(each.url()) && each.ok())
  await act()
  await response
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        requestAnimationFrame(() =>
          requestAnimationFrame(() =>
            resolve(performance.now() - (globalThis as unknown as { startedAt: number }).startedAt),
          ),
        )
      }),
  )
}

const measured: Record<string, number[]> = {}
const add = (name: string, value: number) => (measured[name] = [...(measured[name] ?? []), value])
try {
  for (let round = 0; round < rounds; round++) {
    add('largest paint, Home, CPU 4× slower', await largestPaint(`${demo.url}/`))
    add('largest paint, builds, CPU 4× slower', await largestPaint(demo.url + path))
    const page = await context.newPage()
    const visitor = observe(page)
    await visitor.open(demo.url + path)
    add(
      'search to painted rows',
      await timeToRows(
        page,
        () => page.keyboard.press('/').then(() => page.keyboard.type('task-7')),
        /search=task-7(&|$)/,
      ),
    )
    await visitor.settle()
    await visitor.open(`${demo.url}${path}`)
    const sort = page.getByRole('button', { name: /^Size/ }).first()
    add(
      'sort by size to painted rows',
      await timeToRows(page, () => sort.click(), /sort_by=size_total_bytes/),
    )
    await visitor.settle()
    await page.mouse.wheel(0, 40_000)
    await visitor.settle()
    const scrolled = await page.evaluate(() => scrollY)
    await page.locator('main a[href*="/builds/"]:visible').nth(12).click()
    await page.waitForURL(/\/builds\/\w+/)
    await visitor.settle()
    await page.goBack()
    await visitor.settle()
    add('scroll offset after Back, px', Math.abs((await page.evaluate(() => scrollY)) - scrolled))
    await page.close()
  }
} finally {
  await browser.close()
  await demo.close()
}

const goals: Record<string, number> = {
  'largest paint, Home, CPU 4× slower': 1000,
  'largest paint, builds, CPU 4× slower': 1000,
  'search to painted rows': 300,
  'sort by size to painted rows': 300,
  'scroll offset after Back, px': 1,
}
console.log('\nB10')
for (const [name, values] of Object.entries(measured)) {
  const value = median(values)
  const goal = goals[name] ?? 0
  console.log(
    `  ${name.padEnd(40)} ${value.toFixed(0).padStart(6)}  (goal ${goal}: ${value <= goal ? 'met' : 'NOT met'})`,
  )
}
await save('B10', { rounds, builds, measured })
