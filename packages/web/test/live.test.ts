import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { isEventStream, observe } from './visit.ts'

describe('the live updates of the console', { skip: withoutChromium }, () => {
  let console: Console
  before(async () => {
    console = await sharedConsole()
    await console.fill()
  })

  const untilShown = (page: Page, name: string) => page.getByRole('link', { name }).first().waitFor()

  test('appear in every tab, also after the tab that holds the connection was closed', async () => {
    const first = await console.newPage()
    await first.open(console.url)
    const context = first.page.context()
    const second = observe(await context.newPage())
    await second.open(console.url)
    const { name } = await console.createApplication()
    await untilShown(first.page, name)
    await untilShown(second.page, name)

    await first.page.close()
    const next = await console.createApplication()
    await untilShown(second.page, next.name)
    assert.deepEqual(second.takeProblems(), [])
    await context.close()
  })

  test('include the changes that were made while the page was loading', async () => {
    const { page, open } = await console.newPage()
    const { promise: created, resolve } = Promise.withResolvers<void>()
    await page.route(
      (url) => isEventStream(url.href),
      async (route) => {
        await created
        await route.continue()
      },
    )
    await open(console.url)
    const { name } = await console.createApplication()
    assert.equal(await page.getByRole('link', { name }).count(), 0)
    resolve()
    await untilShown(page, name)
    await page.context().close()
  })
})
