import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { QuaysideClient } from '@quayside/sdk'
import type { Page } from 'playwright-core'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { isEventStream, observe } from './visit.ts'

describe('the live updates of the console', { skip: withoutChromium }, () => {
  let console: Console
  let client: QuaysideClient

  before(async () => {
    console = await sharedConsole()
    client = (await console.fill()).client
  })

  /** Creates an application and returns its name. */
  async function createApplication(): Promise<string> {
    const body = { name: `Live ${randomBytes(4).toString('hex')}`, platforms: ['linux'] }
    return (await client.createApplication({ body })).data.name
  }

  const untilShown = (page: Page, name: string) => page.getByRole('link', { name }).first().waitFor()

  test('appear in every tab, also after the tab that holds the connection was closed', async () => {
    const first = await console.newPage()
    await first.open(console.url)
    const context = first.page.context()
    const second = observe(await context.newPage())
    await second.open(console.url)
    const name = await createApplication()
    await untilShown(first.page, name)
    await untilShown(second.page, name)

    await first.page.close()
    await untilShown(second.page, await createApplication())
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
    const name = await createApplication()
    assert.equal(await page.getByRole('link', { name }).count(), 0)
    resolve()
    await untilShown(page, name)
    await page.context().close()
  })
})
