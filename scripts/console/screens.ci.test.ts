import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { launchChromium, withoutChromium } from '../../packages/web/test/chromium.ts'
import { outlineOf, readOutlines } from '../../packages/web/test/outline.ts'
import { startDemo } from '../demo/start-demo.ts'
import { startFreshService } from './fresh-service.ts'
import { screens } from './screens.ts'
import { visitScreens } from './visit-screens.ts'

const root = join(import.meta.dirname, '../..')

describe('the pictures in docs/screens', () => {
  test('every picture that a page shows is of a screen that the script visits', () => {
    const names = new Set(screens.map(({ name }) => name))
    for (const file of globSync(['README.md', 'docs/*.md'], { cwd: root }))
      for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(
        /screens\/([\w-]+?)-(?:1440|390)-/g,
      ))
        assert.ok(names.has(name), `${file} shows ${name}`)
  })

  test('no picture is older than its screen', { skip: withoutChromium, timeout: 900_000 }, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'quayside-screens-'))
    const demo = await startDemo({ folder, port: 0 })
    const fresh = await startFreshService()
    const browser = await launchChromium()
    t.after(async () => {
      await browser.close()
      await fresh.close()
      await demo.close()
      await rm(folder, { recursive: true, force: true })
    })
    const expected = readOutlines()
    const outdated: string[] = []
    await visitScreens(
      { browser, demo, setupUrl: fresh.setupUrl, screens },
      { width: 1440, colorScheme: 'light' },
      async ({ name }, { page }) => {
        const outline = await outlineOf(page)
        const known = expected[name] ?? []
        const added = outline.filter((text) => !known.includes(text)).map((text) => `+ ${text}`)
        const removed = known.filter((text) => !outline.includes(text)).map((text) => `- ${text}`)
        if (added.length + removed.length > 0) outdated.push([name, ...removed, ...added].join('\n  '))
      },
    )
    const names = outdated.map((text) => text.split('\n', 1)[0]).join(' ')
    assert.ok(outdated.length === 0, `Run \`npm run screens -- ${names}\`:\n${outdated.join('\n')}`)
  })
})
