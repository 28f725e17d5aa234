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

  test('say who changed an open release, and keep what is being typed', async () => {
    const { client } = await console.fill()
    const { id: application_id } = await console.createApplication()
    const version = {
      version_component_1_major: 1,
      version_component_2_minor: 0,
      version_component_3_patch: 0,
    }
    const { data: release } = await client.createRelease({
      application_id,
      body: { ...version, title: 'Shared', notes: 'First.', draft: true },
    })
    const save = (notes: string) =>
      client.updateRelease({ application_id, release_id: release.id, body: { notes } })
    const { page, open, takeProblems } = await console.newPage()
    await open(`${console.url}/applications/${application_id}/releases/${release.id}`)
    await save('Second.')
    await page.getByText('changed the notes just now').waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('First.').waitFor()
    await dialog.getByText('Second.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const notes = page.getByRole('textbox', { name: 'Notes' })
    await notes.fill('Typed here.')
    await save('Third.')
    await page.getByText('The stored version is newer').waitFor()
    assert.equal(await notes.inputValue(), 'Typed here.')
    await page.getByRole('button', { name: 'Load it' }).click()
    assert.equal(await notes.inputValue(), 'Third.')
    assert.deepEqual(takeProblems(), [])
    await page.context().close()
  })
})
