import { launchChromium } from '../packages/web/test/chromium.ts'
import type { VisitorPage } from '../scripts/visitors/visitor-page.ts'
import { startVisitorService } from '../scripts/visitors/visitor-service.ts'
import { median, option, save, textOption } from './report.ts'

// B18 measures how soon visitors of share links, groups and portals see a page: the largest contentful paint in Chromium with
// slow 4G and a CPU slowed by four, without a cache, as on a phone that opens a link for the first time.
const rounds = option('rounds', 5)
const pattern = textOption('only', '')
const goalMs = 1_000
/** The network of Lighthouse's mobile audit. */
const slow4G = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 }
const cpuRate = option('cpu-rate', 4)

const service = await startVisitorService()
const browser = await launchChromium()

/** Opens a page, and returns the time until its largest paint and the bytes that it transferred. */
async function measure(visitorPage: VisitorPage): Promise<{ lcpMs: number; bytes: number }> {
  const { page, close } = await service.open(
    browser,
    { ...visitorPage, path: '/livez' },
    { width: 390, colorScheme: 'light' },
  )
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Network.emulateNetworkConditions', slow4G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuRate })
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength))
  await page.goto(service.url + visitorPage.path, { waitUntil: 'networkidle' })
  const lcpMs = (await page.evaluate(`new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
      .observe({ type: 'largest-contentful-paint', buffered: true })
  })`)) as number
  await close()
  return { lcpMs, bytes }
}

console.log(`\nB18: largest contentful paint, slow 4G, CPU slowed by ${cpuRate}`)
const results = []
for (const visitorPage of service.pages.filter(({ isMeasured, name }) =>
  pattern === '' ? isMeasured === true : new RegExp(pattern).test(name),
)) {
  const measured = []
  for (let round = 0; round < rounds; round++) measured.push(await measure(visitorPage))
  const lcpMs = median(measured.map((each) => each.lcpMs))
  const bytes = measured[0]?.bytes ?? 0
  results.push({ name: visitorPage.name, lcpMs, bytes, measured })
  console.log(
    `  largest paint, ${visitorPage.name.padEnd(20)} ${lcpMs.toFixed(0).padStart(5)} ms, ${(bytes / 1000).toFixed(0)} KB ` +
      `(goal ${goalMs} ms: ${lcpMs <= goalMs ? 'met' : 'NOT met'})`,
  )
}
const figures = results.map(({ name, lcpMs }) => ({ name, value: lcpMs, unit: 'ms', atMost: goalMs }))
await save('B18', { results }, figures)
await browser.close()
await service.close()
