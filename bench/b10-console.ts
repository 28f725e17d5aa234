import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { createClient } from '../packages/sdk/src/client.ts'
import { launchChromium } from '../packages/web/test/chromium.ts'
import { observe } from '../packages/web/test/visit.ts'
import { startFreshService } from '../scripts/console/fresh-service.ts'
import { screens } from '../scripts/console/screens.ts'
import { findDemoIds } from '../scripts/demo/demo-ids.ts'
import { enlargeWorkspace } from '../scripts/demo/large-workspace.db.ts'
import { signIn } from '../scripts/demo/sign-in.ts'
import { startDemo } from '../scripts/demo/start-demo.ts'
import { run } from './commands.ts'
import { navigationMemory } from './navigation-memory.ts'
import { folderOption, median, option, save, textOption } from './report.ts'

// B10 measures the console in Chromium: the largest contentful paint of each main screen with a CPU slowed by four, the
// time from a key press or click in a list of 100,000 builds to the painted rows, and whether the list jumps or a URL, Back
// or Forward shows another view.
const rounds = option('rounds', 5)
const counts = {
  applications: option('applications', 200),
  builds: option('builds', 100_000),
  members: option('members', 500),
  views: option('views', 300),
}
const cpuRate = option('cpu-rate', 4)
const navigations = option('navigations', 300)
const folder = folderOption('console')
/** Selects screens by name for the largest paint. */
const only = new RegExp(textOption('only', '.'))

// A service serves no console that has not been built.
await run(process.execPath, [join(import.meta.dirname, '../scripts/build.ts')])
const demo = await startDemo({ folder, port: 0, size: 'small', log: console.log })
const client = createClient({ baseUrl: demo.url, apiKey: demo.key })
const [application] = (await client.listApplications({ sort_by: 'name', sort: 'desc' })).data
if (application === undefined) throw new Error('The demo has no applications.')
const path = `/applications/${application.id}`
await enlargeWorkspace({ client, databaseUrl: demo.databaseUrl, largest: application.id, counts })

const browser = await launchChromium({ isWhole: true })
const viewport = { width: 1440, height: 900 }
const context = await browser.newContext({ viewport })
await signIn(context, demo)

/** Returns the largest contentful paint in ms, with a cold cache and a slowed CPU. */
async function largestPaint(url: string, isPublic: boolean): Promise<number> {
  const own = isPublic ? await browser.newContext({ viewport }) : context
  const page = await own.newPage()
  const session = await own.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuRate })
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
  await (isPublic ? own.close() : page.close())
  return paint
}

/**
 * Returns the time in ms from the last key press or click of an action to the frame that shows its result. The event has
 * the time at which the browser received it, so that the time the test driver needs is not included.
 */
async function timeToRows(page: Page, act: () => Promise<unknown>, query: RegExp): Promise<number> {
  await page.evaluate(() => {
    const start = ({ timeStamp }: Event) => Object.assign(globalThis, { startedAt: timeStamp })
    for (const type of ['keydown', 'pointerdown', 'popstate'])
      addEventListener(type, start, { capture: true })
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

/** The links of the rows that are on the screen, by which a view is recognized. */
const visibleRows = (page: Page): Promise<string[]> =>
  page
    .locator('main a[href*="/builds/"]:visible')
    .evaluateAll((links) =>
      links
        .filter(
          (link) => link.getBoundingClientRect().top > 0 && link.getBoundingClientRect().top < innerHeight,
        )
        .map((link) => link.getAttribute('href') ?? ''),
    )

/**
 * Scrolls through the list in steps and returns by how many pixels rows moved other than by scrolling, in the worst step.
 */
async function scrollJump(page: Page): Promise<number> {
  let worst = 0
  for (let step = 0; step < 30; step++) {
    const before = await rowPlaces(page)
    await page.mouse.wheel(0, step % 5 === 4 ? 20_000 : 400)
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    const after = await rowPlaces(page)
    for (const [href, place] of Object.entries(after))
      if (before[href] !== undefined) worst = Math.max(worst, Math.abs(place - before[href]))
  }
  return worst
}

/** Returns the distance of each row in the document from its start, by link. */
const rowPlaces = (page: Page): Promise<Record<string, number>> =>
  page
    .locator('main a[href*="/builds/"]:visible')
    .evaluateAll((links) =>
      Object.fromEntries(
        links.map((link) => [link.getAttribute('href') ?? '', link.getBoundingClientRect().top + scrollY]),
      ),
    )

const measured: Record<string, number[]> = {}
const details: Record<string, unknown> = {}
const add = (name: string, value: number) => (measured[name] = [...(measured[name] ?? []), value])
const selected = screens.filter(({ name }) => only.test(name))
const fresh = selected.some(({ name }) => name === 'set-up') ? await startFreshService() : undefined
const ids = { ...(await findDemoIds(client)), setupUrl: fresh?.setupUrl ?? '' }
try {
  for (let round = 0; round < rounds; round++) {
    const page = await context.newPage()
    const visitor = observe(page)
    await visitor.open(demo.url + path)
    add(
      'search',
      await timeToRows(
        page,
        () => page.keyboard.press('/').then(() => page.keyboard.type('task-7')),
        /search=task-7(&|$)/,
      ),
    )
    await visitor.settle()
    const found = await visibleRows(page)
    await page.getByRole('button', { name: /^Stream/ }).click()
    const option = page.locator('.mantine-Popover-dropdown').getByRole('checkbox').first()
    await option.waitFor()
    add('filter by stream', await timeToRows(page, () => option.click(), /streams=/))
    await visitor.settle()
    await page.keyboard.press('Escape')
    const sort = page.getByRole('button', { name: /^Size/ }).first()
    add('sort by size', await timeToRows(page, () => sort.click(), /sort_by=size_total_bytes/))
    await visitor.settle()
    const filtered = await visibleRows(page)
    await page.reload()
    await visitor.settle()
    add('rows that differ after a reload', differences(filtered, await visibleRows(page)))
    for (let back = 0; back < 2; back++) {
      await page.goBack()
      await visitor.settle()
    }
    add('rows that differ after Back', differences(found, await visibleRows(page)))
    for (let forward = 0; forward < 2; forward++) {
      await page.goForward()
      await visitor.settle()
    }
    add('rows that differ after Forward', differences(filtered, await visibleRows(page)))

    await visitor.open(`${demo.url}${path}`)
    await page.mouse.move(700, 500)
    add('jump while scrolling, px', await scrollJump(page))
    await visitor.settle()
    const scrolled = await page.evaluate(() => scrollY)
    // A click on a row outside the window would scroll.
    const shown = await visibleRows(page)
    await page
      .locator(`main a[href="${shown[Math.floor(shown.length / 2)]}"]:visible`)
      .first()
      .click()
    await page.waitForURL(/\/builds\/\w+/)
    await visitor.settle()
    await page.goBack()
    await visitor.settle()
    add('scroll offset after Back, px', Math.abs((await page.evaluate(() => scrollY)) - scrolled))
    await page.close()
    for (const { name, path: pathOf, isPublic = false } of selected)
      add(`largest paint, ${name}`, await largestPaint(new URL(pathOf(ids), demo.url).href, isPublic))
    add('largest paint, all builds', await largestPaint(demo.url + path, false))
  }
  const visitor = observe(await context.newPage())
  await visitor.open(demo.url)
  const paths = screens.filter(({ isPublic }) => isPublic !== true).map(({ path: pathOf }) => pathOf(ids))
  const inConsole = [...paths.filter((each) => !each.startsWith('/api/')), path]
  const memory = await navigationMemory(visitor, inConsole, navigations)
  for (const [name, { before, after }] of Object.entries(memory))
    add(`${name} after ${navigations} navigations, %`, (100 * after) / before)
  Object.assign(details, { memory })
} finally {
  await browser.close()
  await fresh?.close()
  await demo.close()
}

const goalOf = (name: string): number =>
  name.startsWith('largest paint')
    ? 1000
    : /^(search|filter|sort)/.test(name)
      ? 300
      : name.endsWith('px')
        ? 1
        : name.endsWith('%')
          ? 110
          : 0
console.log(
  `\nB10: ${Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')}, load ${loadavg()[0]?.toFixed(1)}`,
)
for (const [name, values] of Object.entries(measured)) {
  const value = median(values)
  const goal = goalOf(name)
  console.log(
    `  ${name.padEnd(44)} ${value.toFixed(0).padStart(6)}  (goal ${goal}: ${value <= goal ? 'met' : 'NOT met'})`,
  )
}
const figures = Object.entries(measured).map(([name, values]) => ({
  name,
  value: median(values),
  ...(/^(largest|search|filter|sort)/.test(name) && { unit: 'ms' }),
  atMost: goalOf(name),
}))
await save('B10', { rounds, counts, load: loadavg(), measured, ...details }, figures)

function differences(one: readonly string[], other: readonly string[]): number {
  const length = Math.max(one.length, other.length)
  return Array.from({ length }, (_, index) => one[index] === other[index]).filter((isSame) => !isSame).length
}
