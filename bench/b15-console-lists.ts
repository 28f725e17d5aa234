import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { createClient } from '../packages/sdk/src/client.ts'
import { launchChromium } from '../packages/web/test/chromium.ts'
import { observe } from '../packages/web/test/visit.ts'
import { addBuilds } from '../scripts/demo/large-workspace.db.ts'
import { signIn } from '../scripts/demo/sign-in.ts'
import { startDemo } from '../scripts/demo/start-demo.ts'
import { run } from './commands.ts'
import { folderOption, median, option, save } from './report.ts'

// B15 scrolls the list of builds and the audit log in turn, because the frames that a machine draws depend on its load, and
// measures how long a key press in the search of the list delays the next paint.
const rounds = option('rounds', 5)
const builds = option('builds', 2_000)
const speed = option('speed', 2_000)
const seconds = option('seconds', 3)
const folder = folderOption('lists')

// A service serves no console that has not been built.
await run(process.execPath, [join(import.meta.dirname, '../scripts/build.ts')])
const demo = await startDemo({ folder, port: 0, size: 'small', log: console.log })
const client = createClient({ baseUrl: demo.url, apiKey: demo.key })
const [application] = (await client.listApplications({ sort_by: 'name', sort: 'asc' })).data
if (application === undefined) throw new Error('The demo has no applications.')
await addBuilds(client, demo.databaseUrl, [{ id: application.id, count: builds }])

const browser = await launchChromium({ isWhole: true })
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
await signIn(context, demo)

/** Scrolls down and up again with a constant speed, and returns the frames per second. */
const framesPerSecond = (page: Page): Promise<number> =>
  page.evaluate(
    ({ pixels, durationMs }) =>
      new Promise<number>((resolve) => {
        const startedAt = performance.now()
        let frames = 0
        const step = (now: number) => {
          const elapsedMs = now - startedAt
          if (elapsedMs >= durationMs) return resolve((frames * 1000) / elapsedMs)
          frames++
          const distance = (Math.min(elapsedMs, durationMs - elapsedMs) * pixels) / 1000
          scrollTo(0, distance)
          requestAnimationFrame(step)
        }
        requestAnimationFrame(step)
      }),
    { pixels: speed, durationMs: seconds * 1000 },
  )

/** Types into the search and returns the longest time in ms from a key press to the next paint. */
async function keyToPaint(page: Page): Promise<number> {
  await page.evaluate(() => {
    const slowest = Object.assign(globalThis, { slowestMs: 0 })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) slowest.slowestMs = Math.max(slowest.slowestMs, duration)
    }).observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit)
  })
  await page.keyboard.press('/')
  await page.keyboard.type('nightly', { delay: 150 })
  await page.waitForTimeout(1_000)
  return page.evaluate(() => (globalThis as unknown as { slowestMs: number }).slowestMs)
}

const lists = [
  { name: 'builds', path: `/applications/${application.id}` },
  { name: 'audit log', path: '/settings?section=audit-log' },
]
const measured: Record<string, number[]> = {}
const add = (name: string, value: number) => (measured[name] = [...(measured[name] ?? []), value])
try {
  for (let round = 0; round < rounds; round++)
    for (const { name, path } of lists) {
      const page = await context.newPage()
      await observe(page).open(demo.url + path)
      add(`${name}, frames per second`, await framesPerSecond(page))
      if (name === 'builds') {
        await page.reload()
        add('search, key press to paint in ms', await keyToPaint(page))
      }
      await page.close()
    }
} finally {
  await browser.close()
  await demo.close()
}

console.log(`\nB15: ${speed} px/s, load ${loadavg()[0]?.toFixed(1)}`)
for (const [name, values] of Object.entries(measured))
  console.log(`  ${name.padEnd(36)} ${median(values).toFixed(0).padStart(5)}`)
const medianOf = (name: string) => median(measured[name] ?? [])
await save('B15', { rounds, builds, speed, load: loadavg(), measured }, [
  {
    name: 'frames per second, builds ÷ audit log',
    value: medianOf('builds, frames per second') / medianOf('audit log, frames per second'),
    atLeast: 0.9,
  },
  {
    name: 'search, key press to paint',
    value: medianOf('search, key press to paint in ms'),
    unit: 'ms',
    atMost: 100,
  },
])
