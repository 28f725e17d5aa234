import { globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { launchChromium } from '../packages/web/test/chromium.ts'
import { outlineOf, type Outlines, readOutlines, writeOutlines } from '../packages/web/test/outline.ts'
import { observe } from '../packages/web/test/visit.ts'
import { startFreshService } from './console/fresh-service.ts'
import { screens } from './console/screens.ts'
import { toWebp } from './console/to-webp.ts'
import { visitScreens } from './console/visit-screens.ts'
import { owner } from './demo/plan/people.ts'
import { startDemo } from './demo/start-demo.ts'

// npm run screens                      write docs/screens from a new demo workspace
// npm run screens -- builds upload     write only these screens
// npm run screens -- --check           report the screens that have changed since their pictures were taken
// npm run screens -- --folder PATH     keep the demo workspace in this folder, or use the one that is there
// npm run screens -- --url http://localhost:4400 --key … --password …     use a demo that is running
const root = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    folder: { type: 'string' },
    port: { type: 'string', default: '0' },
    url: { type: 'string' },
    key: { type: 'string', default: '' },
    password: { type: 'string', default: '' },
  },
  allowPositionals: true,
})
const folder = values.folder ?? join(tmpdir(), `quayside-screens-${process.pid}`)
const output = join(root, 'docs/screens')
const selected = screens.filter(({ name }) => positionals.length === 0 || positionals.includes(name))

const demo =
  values.url === undefined
    ? await startDemo({ folder, port: Number(values.port), log: console.log })
    : {
        url: values.url,
        key: values.key,
        email: owner.email,
        password: values.password,
        close: () => Promise.resolve(),
      }
const fresh = await startFreshService()
const browser = await launchChromium()
const visits = { browser, observe, demo, setupUrl: fresh.setupUrl, screens: selected }
try {
  if (values.check) await reportOutdated()
  else await takePictures()
} finally {
  await browser.close()
  await fresh.close()
  await demo.close()
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
}

async function reportOutdated(): Promise<void> {
  const known = readOutlines()
  await visitScreens(visits, { width: 1440, colorScheme: 'light' }, async ({ name }, { page }) => {
    const outline = await outlineOf(page)
    const before = known[name] ?? []
    const changes = [
      ...before.filter((text) => !outline.includes(text)).map((text) => `  - ${text}`),
      ...outline.filter((text) => !before.includes(text)).map((text) => `  + ${text}`),
    ]
    if (changes.length === 0) return
    console.error(
      [`The pictures of ${name} are outdated. Run \`npm run screens -- ${name}\`.`, ...changes].join('\n'),
    )
    process.exitCode = 1
  })
}

async function takePictures(): Promise<void> {
  mkdirSync(output, { recursive: true })
  if (positionals.length === 0)
    for (const file of globSync('*.webp', { cwd: output })) rmSync(join(output, file))
  const outlines: Outlines = positionals.length === 0 ? {} : readOutlines()
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1440, 1024, 390]) {
      await visitScreens(visits, { width, colorScheme }, async ({ name }, { page, takeProblems }) => {
        await page.evaluate(() => document.fonts.ready)
        const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
        writeFileSync(join(output, `${name}-${width}-${colorScheme}.webp`), await toWebp(browser, png, 0.75))
        if (width === 1440) outlines[name] = await outlineOf(page)
        for (const problem of takeProblems()) console.warn(`${name}, ${width} px: ${problem}`)
      })
      console.log(`${selected.length} screens at ${width} px, ${colorScheme}`)
    }
  writeOutlines(outlines)
  const files = globSync('*.webp', { cwd: output })
  const bytes = files.reduce((sum, file) => sum + statSync(join(output, file)).size, 0)
  console.log(`${files.length} files, ${(bytes / 1e6).toFixed(1)} MB in docs/screens`)
}
