import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startOwnService } from '../../server/test/harness.ts'
import { insertMember } from '../../server/test/people.ts'
import { until } from '../../server/test/until.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole } from './console.ts'
import { serveNextVersion } from './next-version.ts'
import { observe } from './visit.ts'

const apiAndProbes = /\/(api\/v1|livez|color-scheme)/
const bannerWith = (page: Page, text: string) => page.locator('main [role=status]', { hasText: text })
const banner = (page: Page) => bannerWith(page, 'The server cannot be reached')

/** Marks the document, so that a reload can be noticed. */
const markDocument = (page: Page) => page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }))
const isSameDocument = (page: Page) => page.evaluate(() => 'isSameDocument' in globalThis)
/** Follows a link to a page whose script has not been loaded. */
const openLater = (page: Page, path: string) => page.evaluate((to) => history.pushState({}, '', to), path)

describe('the console while the server is stopped', { skip: withoutChromium }, () => {
  test('stays open with what was typed, and continues when the server is back', async () => {
    const { browser } = await sharedConsole()
    let service = await startOwnService()
    let isRunning = true
    const tenant = await service.tenant()
    const userId = await insertMember(service, tenant, { name: 'Ana', workspaceRole: 'owner' })
    const [name = '', value = ''] = (await service.signIn(userId, tenant.workspaceId)).split(/=(.*)/s)
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.addCookies([{ name, value, url: service.url }])
    const open = async (path: string) => {
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      await observe(page).open(service.url + path)
      await markDocument(page)
      return page
    }
    try {
      const home = await open('/')
      const form = await open('/applications/new')
      await form.getByLabel('Name').fill('Half typed')
      const settings = await open('/settings?section=members')
      await settings.getByRole('button', { name: 'Invite people' }).click()
      const dialog = settings.getByRole('dialog')
      await dialog.getByRole('combobox', { name: 'Email addresses' }).fill('half.typed@example.com')
      const pages = [home, form, settings]

      await service.stop()
      isRunning = false
      // Nothing is clicked: the end of the event stream is enough.
      for (const page of pages) await banner(page).waitFor()

      // The page of the account is not loaded yet.
      await openLater(home, '/account')
      await home.getByRole('button', { name: 'Try again' }).first().waitFor()
      await form.getByRole('link', { name: 'Settings', exact: true }).first().click()
      await form.getByText('so this page stays open').waitFor()
      await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
      await dialog.getByRole('alert').waitFor()

      service = await startOwnService({
        state: service.state,
        environment: { QUAYSIDE_PORT: new URL(service.url).port },
      })
      isRunning = true
      for (const page of pages) await banner(page).waitFor({ state: 'detached' })
      await home.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
      assert.equal(await form.getByLabel('Name').inputValue(), 'Half typed')
      await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
      await settings.getByText('half.typed@example.com').first().waitFor()
      await settings.getByText(/The invitation was sent|Send this link yourself/).waitFor()
      for (const page of pages) assert.ok(await isSameDocument(page))
    } finally {
      await context.close()
      await (isRunning ? service.close() : service.state.remove())
    }
  })

  test('keeps the notes of a release that are being edited when the release cannot be reloaded', async () => {
    const { newPage, fill, url } = await sharedConsole()
    const { ids } = await fill()
    const { open, page } = await newPage()
    try {
      await open(`${url}/applications/${ids['applicationId']}/releases/${ids['releaseId']}`)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      const notes = page.getByRole('textbox', { name: 'Notes' })
      await notes.fill('Half typed')
      await page.route(apiAndProbes, (route) => route.abort('connectionrefused'))
      let failures = 0
      page.on('requestfailed', (request) => {
        if (request.url().endsWith(`/releases/${ids['releaseId']}`)) failures++
      })
      // The focus reloads data that is older than some seconds.
      await page.clock.setSystemTime(Date.now() + 120_000)
      // A request is sent up to three times, so that the fourth one is sent after a reload has failed.
      await until('a reload has failed', async () => {
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
        return failures > 3
      })
      await banner(page).waitFor()
      assert.equal(await notes.inputValue(), 'Half typed')
      await page.unroute(apiAndProbes)
      await banner(page).waitFor({ state: 'detached' })
      assert.equal(await notes.inputValue(), 'Half typed')
    } finally {
      await page.context().close()
    }
  })

  for (const status of [502, 503, 504])
    test(`recovers by itself from an outage that a proxy reports with ${status}`, async () => {
      const { newPage, url } = await sharedConsole()
      const { open, page } = await newPage()
      try {
        await open(`${url}/account`)
        await markDocument(page)
        await page.route(`${url}/**`, (route) => route.fulfill({ status, body: 'No server is available.' }))
        await openLater(page, '/groups')
        await page.getByRole('button', { name: 'Try again' }).waitFor()
        await banner(page).waitFor()
        await page.unroute(`${url}/**`)
        await page.getByRole('heading', { name: 'Distribution groups', level: 1 }).waitFor()
        await banner(page).waitFor({ state: 'detached' })
        assert.ok(await isSameDocument(page))
      } finally {
        await page.context().close()
      }
    })

  test('recovers by itself when the server, which already responds, has started', async () => {
    const { newPage, url } = await sharedConsole()
    const { open, page } = await newPage()
    try {
      await open(`${url}/account`)
      await markDocument(page)
      await page.route(`${url}/**`, (route) =>
        route.request().url().endsWith('/livez')
          ? route.fulfill({ status: 200, body: 'Alive.' })
          : route.fulfill({ status: 503, body: 'Not ready.' }),
      )
      await openLater(page, '/groups')
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      await banner(page).waitFor()
      await page.unroute(`${url}/**`)
      await page.getByRole('heading', { name: 'Distribution groups', level: 1 }).waitFor()
      assert.ok(await isSameDocument(page))
    } finally {
      await page.context().close()
    }
  })

  test('lets one of many tabs check the connection, and continues all of them when the server is back', async () => {
    const { newPage, url } = await sharedConsole()
    const { open, page } = await newPage()
    const context = page.context()
    try {
      await open(`${url}/account`)
      const pages = [page]
      while (pages.length < 6) {
        const next = await context.newPage()
        await observe(next).open(`${url}/account`)
        pages.push(next)
      }
      const checkedAtMs: number[] = []
      await context.route(apiAndProbes, (route) => {
        if (route.request().url().endsWith('/livez')) checkedAtMs.push(performance.now())
        return route.abort('connectionrefused')
      })
      await page.evaluate(() => globalThis.dispatchEvent(new Event('offline')))
      for (const each of pages) await banner(each).or(bannerWith(each, 'You are offline')).waitFor()
      const startMs = performance.now()
      await until('checks go on for some seconds', async () => (checkedAtMs.at(-1) ?? 0) > startMs + 5_000)
      const count = checkedAtMs.filter((atMs) => atMs > startMs + 1_000).length
      assert.ok(count <= 12, `${count} checks`)
      await context.unroute(apiAndProbes)
      for (const each of pages) await banner(each).waitFor({ state: 'detached' })
    } finally {
      await context.close()
    }
  })

  test('recovers by itself when a request fails while the connection is being checked', async () => {
    const { newPage, url } = await sharedConsole()
    const { open, page } = await newPage()
    try {
      await open(`${url}/account`)
      await markDocument(page)
      const { promise: checkEnd, resolve: endCheck } = Promise.withResolvers<void>()
      const checks = new Set<string>()
      await page.route(`${url}/**`, async (route) => {
        const path = new URL(route.request().url()).pathname
        if (!apiAndProbes.test(path) || path.startsWith('/api/') || checks.has(path))
          return await route.abort()
        checks.add(path)
        await checkEnd
        await route.fulfill({ status: 200 })
      })
      await page.evaluate(() => globalThis.dispatchEvent(new Event('offline')))
      await openLater(page, '/groups')
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      endCheck()
      await banner(page).or(bannerWith(page, 'You are offline')).waitFor()
      await page.unroute(`${url}/**`)
      await page.getByRole('heading', { name: 'Distribution groups', level: 1 }).waitFor()
      assert.ok(await isSameDocument(page))
    } finally {
      await page.context().close()
    }
  })

  test('opens a page that was requested while the browser was offline when it is online again', async () => {
    const { newPage, url } = await sharedConsole()
    const { open, page } = await newPage()
    try {
      await open(`${url}/account`)
      await markDocument(page)
      await page.context().setOffline(true)
      await openLater(page, '/groups')
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      await bannerWith(page, 'You are offline').waitFor()
      await page.context().setOffline(false)
      await page.getByRole('heading', { name: 'Distribution groups', level: 1 }).waitFor()
      await page.locator('main [role=status]').waitFor({ state: 'detached' })
      assert.ok(await isSameDocument(page))
    } finally {
      await page.context().close()
    }
  })
})

describe('the console after an upgrade of the server', { skip: withoutChromium }, () => {
  async function close(page: Page): Promise<void> {
    await page.context().unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().close()
  }
  const upgraded = (page: Page) => bannerWith(page, 'A new version is available')

  test('keeps what was typed until the person reloads the page', async () => {
    const { newPage, url } = await sharedConsole()
    const { open, page, settle, takeProblems } = await newPage()
    const answers: boolean[] = [false, true]
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void (answers.shift() === true ? dialog.accept() : dialog.dismiss())
    })
    try {
      await open(`${url}/applications/new`)
      await markDocument(page)
      await page.getByLabel('Name').fill('Half typed')
      await serveNextVersion(page.context(), url)
      // Pointing at a link loads its page.
      await page.getByRole('link', { name: 'Groups' }).hover()
      await upgraded(page).waitFor()
      const refused = takeProblems().filter((problem) => problem.includes('Content Security Policy'))
      assert.deepEqual(refused, [])
      const reload = page.getByRole('button', { name: 'Reload' })
      await reload.click()
      assert.ok(await isSameDocument(page))
      assert.equal(await page.getByLabel('Name').inputValue(), 'Half typed')
      const reloaded = page.waitForEvent('load')
      await reload.click()
      await reloaded
      await settle()
      assert.deepEqual(asked, ['beforeunload', 'beforeunload'])
      assert.equal(await isSameDocument(page), false)
      assert.equal(await upgraded(page).count(), 0)
    } finally {
      await close(page)
    }
  })

  test('opens a page with the new version', async () => {
    const { newPage, url } = await sharedConsole()
    const { open, page } = await newPage()
    try {
      await open(`${url}/account`)
      await markDocument(page)
      await serveNextVersion(page.context(), url)
      await page.getByRole('link', { name: 'Groups' }).click()
      await page.getByRole('heading', { name: 'Distribution groups', level: 1 }).waitFor()
      assert.equal(await isSameDocument(page), false)
    } finally {
      await close(page)
    }
  })

  test('does not interrupt an upload', async () => {
    const { newPage, createApplication, url } = await sharedConsole()
    const { id } = await createApplication()
    const { open, page } = await newPage()
    let resume = (): void => {}
    const resumed = new Promise<void>((resolve) => {
      resume = resolve
    })
    try {
      await page.addInitScript('window.showOpenFilePicker = undefined')
      await open(`${url}/upload?application=${id}`)
      await markDocument(page)
      await page.route(`${url}/**`, async (route) => {
        if (route.request().method() === 'PUT') await resumed
        await route.fallback()
      })
      await page.getByLabel('Files to upload').setInputFiles({
        name: 'app-1.0.0.tar.gz',
        mimeType: 'application/gzip',
        buffer: Buffer.alloc(100_000, 'x'),
      })
      await page.locator('article[data-phase=uploading]').waitFor()
      await serveNextVersion(page.context(), url)
      await page.getByRole('link', { name: 'Groups' }).click()
      await upgraded(page).waitFor()
      await page.getByRole('alert').getByText('A new version of the console is available').waitFor()
      assert.ok(await isSameDocument(page))
      resume()
      await page.goBack()
      await page.locator('article[data-phase=done]').waitFor()
      assert.ok(await isSameDocument(page))
    } finally {
      resume()
      await close(page)
    }
  })
})
