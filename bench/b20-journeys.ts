import { mkdir } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../packages/sdk/src/client.ts'
import { launchChromium } from '../packages/web/test/chromium.ts'
import { journeys, personWith, prepareJourneys } from '../packages/web/test/daily-journeys.ts'
import { keyboard, mouse } from '../packages/web/test/hands.ts'
import { observe, windowOf } from '../packages/web/test/visit.ts'
import { signIn } from '../scripts/demo/sign-in.ts'
import { startDemo } from '../scripts/demo/start-demo.ts'
import { run } from './commands.ts'
import { folderOption, median, option, save, textOption } from './report.ts'

// B20 walks through the daily journeys of the console as fast as a program can: with the mouse alone and with the keyboard
// alone. With --traces FOLDER, it records a Playwright trace of each.
const rounds = option('rounds', 3)
const folder = folderOption('journeys')
const traces = textOption('traces', '')

await run(process.execPath, [join(import.meta.dirname, '../scripts/build.ts')])
const demo = await startDemo({ folder, port: 0, size: 'small', log: console.log })
const client = createClient({ baseUrl: demo.url, apiKey: demo.key })
const browser = await launchChromium()
const hands = { mouse, keyboard }
const measured = journeys.map(({ name }) => ({
  name,
  steps: 0,
  mouse: [] as number[],
  keyboard: [] as number[],
}))
if (traces !== '') await mkdir(traces, { recursive: true })

/** Walks through each journey once, from the home page of a workspace with a new sample application. */
async function walkAll(hand: keyof typeof hands): Promise<void> {
  await prepareJourneys(client)
  const context = await browser.newContext(windowOf(1440))
  await signIn(context, demo)
  const page = await context.newPage()
  const visitor = observe(page)
  if (traces !== '') await context.tracing.start({ screenshots: true, snapshots: true })
  for (const [index, { name, walk }] of journeys.entries()) {
    await visitor.open(demo.url)
    const person = personWith(page, hands[hand](page))
    if (traces !== '') await context.tracing.startChunk({ title: `${name}, ${hand}` })
    const startedAt = performance.now()
    await walk(person)
    const result = measured[index]
    result?.[hand].push((performance.now() - startedAt) / 1_000)
    if (result !== undefined) result.steps = person.steps()
    if (traces !== '') {
      const file = `${name.toLowerCase().replaceAll(' ', '-')}-${hand}.zip`
      await context.tracing.stopChunk({ path: join(traces, file) })
    }
  }
  await context.close()
}

try {
  for (let round = 0; round < rounds; round++)
    for (const hand of ['mouse', 'keyboard'] as const) await walkAll(hand)
} finally {
  await browser.close()
  await demo.close()
}

console.log(`\nB20: load ${loadavg()[0]?.toFixed(1)}`)
for (const { name, steps, ...seconds } of measured) {
  const times = Object.entries(seconds).map(([hand, values]) => `${hand} ${median(values).toFixed(1)} s`)
  console.log(`  ${name.padEnd(46)} ${steps} steps  ${times.join('  ')}`)
}
const figures = measured.map(({ name, steps }) => ({ name, value: steps, unit: 'steps' }))
await save('B20', { rounds, load: loadavg(), measured }, figures)
