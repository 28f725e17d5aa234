import { globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchChromium } from '../packages/web/test/chromium.ts'
import { toWebp } from './console/to-webp.ts'
import { startVisitorService } from './visitors/visitor-service.ts'

// npm run visitor-screens                     write docs/screens/visitors: every page of visitors in every state
// npm run visitor-screens -- portal group     write only these pages
const selected = process.argv.slice(2)
const output = join(import.meta.dirname, '../docs/screens/visitors')
const maxHeight = 1800

const service = await startVisitorService()
const browser = await launchChromium()
try {
  mkdirSync(output, { recursive: true })
  if (selected.length === 0)
    for (const file of globSync('*.webp', { cwd: output })) rmSync(join(output, file))
  const pages = service.pages.filter(({ name }) => selected.length === 0 || selected.includes(name))
  for (const visitorPage of pages)
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 390]) {
        const { page, close } = await service.open(browser, visitorPage, { width, colorScheme })
        const height = await page.locator('html').evaluate((element) => element.scrollHeight)
        // Wide pages have empty margins, so a picture shows only the middle.
        const shown = Math.min(width, 960)
        const png = await page.screenshot({
          fullPage: true,
          animations: 'disabled',
          caret: 'hide',
          clip: { x: (width - shown) / 2, y: 0, width: shown, height: Math.min(height, maxHeight) },
        })
        await close()
        const file = join(output, `${visitorPage.name}-${width}-${colorScheme}.webp`)
        writeFileSync(file, await toWebp(browser, png, 0.7))
      }
  const files = globSync('*.webp', { cwd: output })
  const bytes = files.reduce((sum, file) => sum + statSync(join(output, file)).size, 0)
  console.log(`${files.length} files, ${(bytes / 1e6).toFixed(1)} MB in docs/screens/visitors`)
} finally {
  await browser.close()
  await service.close()
}
