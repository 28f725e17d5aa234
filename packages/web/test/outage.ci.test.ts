import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startOwnService } from '../../server/test/harness.ts'
import { insertMember } from '../../server/test/people.ts'
import { until } from '../../server/test/until.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole } from './console.ts'
import { bannerWith, isSameDocument, markDocument, openLater } from './open-page.ts'
import { observe } from './visit.ts'

const apiAndProbes = /\/(api\/v1|livez|color-scheme)/
const banner = (page: Page) => bannerWith(page, 'The server cannot be reached')

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

  test('checks the connection from one of many tabs, and resumes all tabs when the server responds', async () => {
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

  test('says why an upload waits if storage is unavailable', async () => {
    const { newPage, createApplication, url } = await sharedConsole()
    const { id } = await createApplication()
    const { open, page } = await newPage()
    try {
      await page.addInitScript('window.showOpenFilePicker = undefined')
      await open(`${url}/upload?application=${id}`)
      await page.route(`${url}/storage/**`, (route) =>
        route.fulfill({ status: 503, json: { message: 'Storage is unavailable. Try again shortly.' } }),
      )
      await page.getByLabel('Files to upload').setInputFiles({
        name: 'app-1.0.0.tar.gz',
        mimeType: 'application/gzip',
        buffer: Buffer.alloc(100_000, 'x'),
      })
      const upload = page.getByRole('article', { name: 'app-1.0.0.tar.gz' })
      await upload.getByText('Storage is unavailable. Try again shortly.').waitFor()
      assert.equal(await upload.getByText('Connection lost').count(), 0)
      await page.unroute(`${url}/storage/**`)
      await page.locator('article[data-phase=done]').waitFor()
    } finally {
      await page.context().close()
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
