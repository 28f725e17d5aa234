import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { insertMember } from '../../server/test/people.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { previewOf, type Visitor } from './visit.ts'

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

  test('finds releases and streams in the command palette, and offers what the person may do', async () => {
    const { page } = visitor
    const { client } = await console.fill()
    const { data: releases } = await client.listReleases({ application_id: applicationId, per_page: 1 })
    const release = `${releases[0]?.version} · ${releases[0]?.title}`
    await visitor.open(`${console.url}/applications/${applicationId}`)
    const search = page.getByPlaceholder('Go to a build, release, person or setting, or run an action')
    const find = async (text: string, name: string) => {
      await page.keyboard.press('Control+k')
      await search.fill(text)
      await page.getByRole('button', { name }).first().click()
    }
    await find(releases[0]?.title ?? '', release)
    await page.waitForURL(/\/releases\/\w+$/)
    // A page that is left before it has its title is not among the recent ones.
    await page.waitForFunction((name) => document.title.includes(name), `Release ${releases[0]?.version}`)
    const { data: streams } = await client.listStreams({ application_id: applicationId })
    await find(streams[0]?.name ?? '', streams[0]?.name ?? '')
    await page.waitForURL(/\?streams=/)
    // The release was left, so it is among the recent pages.
    await page.keyboard.press('Control+k')
    await page.getByRole('button', { name: new RegExp(`Release ${releases[0]?.version}`) }).click()
    await page.waitForURL(/\/releases\/\w+$/)
    await find('memebrs', 'Settings: Members')
    await page.waitForURL(/section=members/)
    await find('Ana Ruiz', 'Ana Ruiz ana.ruiz@example.com')
    const { data: groups } = await client.listDistributionGroups({ per_page: 1 })
    await find(groups[0]?.name ?? '', groups[0]?.name ?? '')
    await page.waitForURL(/\/groups\/\w+$/)
    await visitor.open(`${console.url}/applications/${applicationId}`)
    await find('insights', 'Insights')
    await page.waitForURL(/\/insights$/)
    await find('invite', 'Invite people')
    await page.getByRole('dialog', { name: /^Invite/ }).waitFor()
    await page.keyboard.press('Escape')
    await find('theme', 'Use the dark theme')
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()

    const { id: workspaceId } = await console.service.deps.db
      .selectFrom('workspaces')
      .select('id')
      .executeTakeFirstOrThrow()
    const userId = await insertMember(
      console.service,
      { workspaceId, applicationId },
      { applicationRole: 'readonly' },
    )
    const tester = await console.newPage({ cookie: await console.service.signIn(userId, workspaceId) })
    await tester.open(`${console.url}/applications/${applicationId}`)
    await tester.page.keyboard.press('Control+k')
    await tester.page.getByRole('button', { name: 'Use the dark theme' }).waitFor()
    for (const name of ['Invite people', 'New application', 'Upload builds', /^New release/])
      assert.equal(await tester.page.getByRole('button', { name }).count(), 0, String(name))
    await tester.page.context().close()
  })

  test('is drawn by the server with the time zone and the columns of the browser', async () => {
    const context = await console.browser.newContext({
      viewport: { width: 1440, height: 900 },
      timezoneId: 'Pacific/Kiritimati',
    })
    const [name = '', value = ''] = console.ownerCookie.split(/=(.*)/s)
    await context.addCookies([{ name, value, url: console.url }])
    const page = await context.newPage()
    const path = `${console.url}/applications/${applicationId}`
    await page.goto(path)
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Commit' }).click()
    await page.getByRole('columnheader', { name: 'Commit' }).waitFor({ state: 'detached' })
    const list = await previewOf(page, path)
    assert.ok(list.includes('data-column="stream"'))
    assert.equal(list.includes('data-column="commit"'), false)
    await page.goto(`${path}/activity`)
    const day = page.getByRole('heading', { name: /^\w+day, \w+ \d+, \d{4}$/ }).first()
    const activity = await previewOf(page, `${path}/activity`)
    assert.ok(activity.includes(await day.innerText()), await day.innerText())
    await context.close()
  })

  test('shows that a release or webhook does not exist, and ignores a time that is none', async () => {
    const { page } = visitor
    for (const path of ['releases/unknown00000', 'webhooks/unknown00000']) {
      await visitor.open(`${console.url}/applications/${applicationId}/${path}`)
      assert.equal(await page.locator('h1:visible').innerText(), 'Page not found')
      assert.equal(await page.locator('[role=alert]:visible').count(), 0)
    }
    await visitor.open(`${console.url}/applications/${applicationId}?created_after=garbage`)
    await page.locator(`main a[href*="/applications/${applicationId}/builds/"]`).first().waitFor()
    await page.context().close()
  })

  test('keeps unsaved notes of a build when Escape is pressed', async () => {
    const { ids } = await console.fill()
    const { page } = visitor
    await visitor.open(`${console.url}/applications/${applicationId}/builds/${ids['buildId']}`)
    await page.getByRole('button', { name: /^(Write notes|Edit)$/ }).click()
    const field = page.getByRole('textbox', { name: 'Notes' })
    await field.fill('Not saved yet')
    await field.press('Escape')
    assert.equal(await field.inputValue(), 'Not saved yet')
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
