import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'

/** Returns the name of the link or button with the focus if something else covers its center. */
const findCovered = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (focused === null || !focused.matches('a[href], button')) return undefined
    const { left, right, top, height } = focused.getBoundingClientRect()
    // Chromium does not scroll sideways to what is partly visible.
    const x = (Math.max(0, left) + Math.min(innerWidth, right)) / 2
    const hit = document.elementFromPoint(x, top + height / 2)
    const isShown = hit !== null && (focused.contains(hit) || hit.contains(focused))
    return isShown ? undefined : (focused.getAttribute('aria-label') ?? focused.textContent)
  })

describe('the bars at the top and the bottom of a phone', { skip: withoutChromium }, () => {
  let console: Console
  let paths: string[]
  before(async () => {
    console = await sharedConsole()
    const { ids } = await console.fill()
    const application = `/applications/${ids['applicationId']}`
    paths = [application, `${application}/builds/${ids['buildId']}`, `/groups/${ids['groupId']}`]
  })

  // Windows of 1440 × 900 pixels at 200 % and 400 %.
  for (const [width, height] of [
    [720, 450],
    [360, 225],
  ] as const)
    test(`cover nothing that has the focus in a window of ${width} × ${height} pixels`, async () => {
      const { page, open } = await console.newPage({ width: 1440 })
      await page.setViewportSize({ width, height })
      const covered: string[] = []
      for (const path of paths) {
        await open(console.url + path)
        for (let presses = 0; presses < 50; presses++) {
          await page.keyboard.press('Tab')
          const name = await findCovered(page)
          if (name !== undefined) covered.push(`${path}: ${name}`)
        }
      }
      assert.deepEqual(covered, [])
      await page.context().close()
    })
})
