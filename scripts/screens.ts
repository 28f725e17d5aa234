import { globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserContext } from 'playwright-core'
import { createClient } from '../packages/sdk/src/client.ts'
import { launchChromium } from '../packages/web/test/chromium.ts'
import { observe } from '../packages/web/test/visit.ts'
import { startFreshService } from './console/fresh-service.ts'
import { screens } from './console/screens.ts'
import { findDemoIds } from './demo/demo-ids.ts'
import { owner } from './demo/plan/people.ts'
import { startDemo } from './demo/start-demo.ts'

// npm run screens                      write docs/screens from a new demo workspace
// npm run screens -- builds upload     write only these screens
// npm run screens -- --folder PATH     keep the demo workspace in this folder, or use the one that is there
// npm run screens -- --url http://localhost:4400 --key … --password …     use a demo that is running
const root = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  options: {
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
try {
  mkdirSync(output, { recursive: true })
  if (positionals.length === 0)
    for (const file of globSync('*.webp', { cwd: output })) rmSync(join(output, file))
  const found = await findDemoIds(createClient({ baseUrl: demo.url, apiKey: demo.key }))
  const ids = { ...found, setupUrl: fresh.setupUrl }
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1440, 390]) {
      const isPhone = width < 768
      const look = {
        viewport: { width, height: isPhone ? 844 : 900 },
        deviceScaleFactor: isPhone ? 2 : 1,
        hasTouch: isPhone,
        isMobile: isPhone,
        reducedMotion: 'reduce',
        locale: 'en-US',
        timezoneId: 'Europe/Lisbon',
      } as const
      const context = await browser.newContext({ ...look, colorScheme })
      await signIn(context)
      for (const { name, path, isPublic = false } of selected) {
        const own = isPublic ? await browser.newContext({ ...look, colorScheme }) : context
        const visitor = observe(await own.newPage())
        await visitor.open(new URL(path(ids), demo.url).href)
        await visitor.page.evaluate(() => document.fonts.ready)
        const png = await visitor.page.screenshot({ animations: 'disabled', caret: 'hide' })
        writeFileSync(join(output, `${name}-${width}-${colorScheme}.webp`), await toWebp(png))
        for (const problem of visitor.takeProblems()) console.warn(`${name}, ${width} px: ${problem}`)
        await (isPublic ? own.close() : visitor.page.close())
      }
      await context.close()
      console.log(`${selected.length} screens at ${width} px, ${colorScheme}`)
    }
  const files = globSync('*.webp', { cwd: output })
  const bytes = files.reduce((sum, file) => sum + statSync(join(output, file)).size, 0)
  console.log(`${files.length} files, ${(bytes / 1e6).toFixed(1)} MB in docs/screens`)
} finally {
  await browser.close()
  await fresh.close()
  await demo.close()
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
}

async function signIn(context: BrowserContext): Promise<void> {
  const response = await context.request.post(`${demo.url}/api/auth/sign-in/email`, {
    data: { email: demo.email, password: demo.password },
    headers: { origin: demo.url },
  })
  if (!response.ok()) throw new Error(`Signing in failed: ${response.status()} ${await response.text()}`)
}

/** Converts a picture with Chromium, because a WebP file has a third of the size of a PNG file. */
async function toWebp(png: Buffer): Promise<Buffer> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const url = await page.evaluate(
    async (source) => {
      const picture = new Image()
      picture.src = source
      await picture.decode()
      const canvas = new OffscreenCanvas(picture.width, picture.height)
      canvas.getContext('2d')?.drawImage(picture, 0, 0)
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.75 })
      return new Promise<string>((resolve, reject) => {
        const reader = new FileReader()
        reader.addEventListener('load', () => resolve(reader.result as string))
        reader.addEventListener('error', () =>
          reject(reader.error ?? new Error('The picture cannot be read.')),
        )
        reader.readAsDataURL(blob)
      })
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  await context.close()
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}
