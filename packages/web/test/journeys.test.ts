import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import type { Visitor } from './visit.ts'

describe('journeys through the console', { skip: withoutChromium }, () => {
  let console: Console
  let applicationId: string
  let visitor: Visitor
  before(async () => {
    console = await sharedConsole()
    const { ids } = await console.fill()
    applicationId = ids['applicationId']!
  })
  beforeEach(async () => {
    visitor = await console.newPage()
  })

  test('by mouse: search builds, open one, go back to the same list', async () => {
    const { page } = visitor
    await visitor.open(`${console.url}/applications/${applicationId}`)
    const search = page
      .getByRole('searchbox')
      .or(page.getByPlaceholder(/version, branch/i))
      .first()
    await search.fill('main')
    await page.waitForURL(/search=main/)
    await visitor.settle()
    const row = page.locator(`main a[href*="/applications/${applicationId}/builds/"]`).first()
    await row.click()
    await page.waitForURL(/\/builds\/\w+/)
    await visitor.settle()
    await page.goBack()
    await page.waitForURL(/search=main/)
    await visitor.settle()
    assert.equal(await search.inputValue(), 'main')
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()
  })

  test('by keyboard: search builds and open one', async () => {
    const { page } = visitor
    await visitor.open(`${console.url}/applications/${applicationId}`)
    await page.keyboard.press('/')
    await page.keyboard.type('main')
    await page.waitForURL(/search=main/)
    await visitor.settle()
    const isOnBuild = () =>
      page.evaluate(() => /\/builds\/\w+/.test(document.activeElement?.getAttribute('href') ?? ''))
    for (let presses = 0; presses < 60 && !(await isOnBuild()); presses++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/builds\/\w+/)
    await visitor.settle()
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()
  })
})
