import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from './chromium.ts'
import { sharedConsole } from './console.ts'
import { serveNextVersion } from './next-version.ts'
import { bannerWith, isSameDocument, markDocument } from './open-page.ts'

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

  test('reloads the page for the command palette, which the previous version did not load', async () => {
    const { newPage, url } = await sharedConsole()
    const { open, page, settle } = await newPage()
    try {
      await open(`${url}/account`)
      await serveNextVersion(page.context(), url)
      const reloaded = page.waitForEvent('load')
      await page.keyboard.press('Control+k')
      await reloaded
      await settle()
      await page.keyboard.press('Control+k')
      await page
        .getByRole('dialog')
        .getByRole('combobox')
        .or(page.getByRole('dialog').getByRole('textbox'))
        .waitFor()
    } finally {
      await close(page)
    }
  })

  test('shows toasts on a page of the previous version', async () => {
    const { newPage, url } = await sharedConsole()
    const { open, page } = await newPage()
    try {
      const loaded = page.waitForResponse(/assets\/notifications-.*\.js/)
      await open(`${url}/account`)
      await markDocument(page)
      await (await loaded).finished()
      await page.getByRole('button', { name: 'Ana Ruiz' }).click()
      await page.getByText('Dark').waitFor()
      await serveNextVersion(page.context(), url)
      await page.route(`${url}/**`, (route) =>
        route.request().method() === 'GET' ? route.fallback() : route.abort('connectionrefused'),
      )
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByText('The server cannot be reached. Your changes are still here').waitFor()
      assert.ok(await isSameDocument(page))
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
