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

  test('keeps the text that is typed while the command palette loads', async () => {
    const { page } = visitor
    await visitor.open(`${console.url}/applications/${applicationId}`)
    const { promise: isTyped, resolve: load } = Promise.withResolvers<void>()
    await page.route(/command-palette/, async (route) => {
      await isTyped
      await route.continue()
    })
    const requested = page.waitForRequest(/command-palette/)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('portax')
    await page.keyboard.press('Backspace')
    await requested
    load()
    const field = page
      .getByRole('searchbox', { name: 'Search', exact: true })
      .or(page.getByLabel('Search', { exact: true }))
    await field.first().waitFor()
    await page.getByText('Portals').last().waitFor()
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'porta')
    await page.keyboard.type('ls')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/portals$/)
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()
  })

  test('lists a name once if labels of the application and the workspace have it', async () => {
    const { client } = await console.fill()
    await client.createLabel({ application_id: applicationId, body: { name: 'in-both' } })
    await client.createWorkspaceLabel({ body: { name: 'in-both' } })
    const { page } = visitor
    await visitor.open(`${console.url}/applications/${applicationId}`)
    await page.getByRole('button', { name: 'Label', exact: true }).click()
    await page.getByLabel('Find: Label').fill('in-both')
    await page.getByRole('checkbox', { name: 'in-both' }).waitFor()
    assert.equal(await page.getByRole('checkbox', { name: 'in-both' }).count(), 1)
    await page.context().close()
  })

  test('shows an artifact without recording a download', async () => {
    const { client } = await console.fill()
    const { data: builds } = await client.listBuilds({ application_id: applicationId, per_page: 100 })
    const details = await Promise.all(
      builds.map(({ id }) => client.getBuild({ application_id: applicationId, build_id: id })),
    )
    const build = details.find(({ data }) => data.metadata_artifacts.length > 0)?.data
    assert.ok(build)
    const downloads = async () =>
      (await client.listBuildDownloads({ application_id: applicationId, build_id: build.id })).pagination
        .total
    const before = await downloads()
    const { page } = visitor
    await visitor.open(`${console.url}/applications/${applicationId}/builds/${build.id}?tab=artifacts`)
    await page.locator('main li button[aria-expanded=false]').first().click()
    await visitor.settle()
    assert.match(await page.locator('main [class*=viewer]').first().innerText(), /\w{3}/)
    assert.equal(await downloads(), before)
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()
  })
})
