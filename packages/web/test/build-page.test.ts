import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { zipFile, type ZipEntry } from '../../server/test/inspection/zip-file.ts'
import { uploadedBuild } from '../../server/test/uploading.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { findOverflow } from './visit.ts'

describe('the page of a build', { skip: withoutChromium }, () => {
  let console: Console
  let path: string
  let file: { filename: string; bytes: Buffer }

  before(async () => {
    console = await sharedConsole()
    const { client, ids } = await console.fill()
    path = `${console.url}/applications/${ids['applicationId']}/builds/${ids['buildId']}`
    const { primary_file: link } = await client.getBuildDownload({
      application_id: ids['applicationId'] ?? '',
      build_id: ids['buildId'] ?? '',
    })
    file = {
      filename: link.filename,
      bytes: Buffer.from(await (await fetch(link.temp_url)).arrayBuffer()),
    }
  })

  async function openTab(tab?: string): Promise<{ page: Page; takeProblems: () => string[] }> {
    const visitor = await console.newPage()
    await visitor.open(tab === undefined ? path : `${path}?tab=${tab}`)
    return visitor
  }

  /** Opens the page of a build, as if the server had these URLs in its network. */
  async function openInNetwork(urls: string[] | null, width?: number): Promise<Page> {
    const { page, open } = await console.newPage(width === undefined ? {} : { width })
    const command = urls?.[0] === undefined ? null : `QUAYSIDE_PUBLIC_URL=${urls[0]} npm start`
    await page.route(/./, async (route) => {
      const request = route.request()
      const isPage = request.isNavigationRequest()
      if (!isPage && !request.url().endsWith('/api/v1/session')) return route.continue()
      const response = await route.fetch()
      const body = (await response.text())
        .replaceAll(/"local_network_urls":(\[.*?\]|null)/g, `"local_network_urls":${JSON.stringify(urls)}`)
        .replaceAll(
          /"local_network_command":(".*?"|null)/g,
          `"local_network_command":${JSON.stringify(command)}`,
        )
      return route.fulfill({ response, body })
    })
    await open(path)
    return page
  }
  const openOnPhone = (page: Page) => page.getByRole('button', { name: 'Open on phone' })
  const isPrimary = async (button: Locator) => (await button.getAttribute('data-variant')) !== 'default'

  for (const width of [1440, 390])
    test(`shows the whole command that starts the server for phones at ${width} px`, async () => {
      const urls = ['http://192.168.1.20:4499', 'http://10.20.130.140:4499']
      const page = await openInNetwork(urls, width)
      try {
        assert.equal(await isPrimary(openOnPhone(page)), false)
        assert.equal(await isPrimary(page.getByRole('button', { name: 'Download' }).first()), true)
        await openOnPhone(page).click()
        const panel = page.getByRole('dialog')
        const command = panel.getByLabel('command for the local network', { exact: true })
        assert.equal(await command.innerText(), `QUAYSIDE_PUBLIC_URL=${urls[0]} npm start`)
        assert.ok(await command.evaluate((element) => element.scrollWidth <= element.clientWidth))
        assert.deepEqual(await panel.getByRole('listitem').allInnerTexts(), urls)
        assert.deepEqual(await findOverflow(page), [])
        assert.equal(await page.getByRole('img', { name: /QR code/ }).count(), 0)
      } finally {
        await page.context().close()
      }
    })

  test('leads to the documentation if the server does not know its address in the network', async () => {
    const page = await openInNetwork([])
    try {
      await openOnPhone(page).click()
      const panel = page.getByRole('dialog')
      const href = await panel
        .getByRole('link', { name: 'Make the server available to phones' })
        .getAttribute('href')
      assert.equal(await panel.getByText('npm start').count(), 0)
      const [url = '', id = ''] = (href ?? '').split('#')
      const docs = await page.request.get(url)
      assert.ok((await docs.text()).includes(`id="${id}"`))
    } finally {
      await page.context().close()
    }
  })

  test('offers to open the build on a phone first if phones can open it', async () => {
    const page = await openInNetwork(null)
    try {
      assert.equal(await isPrimary(openOnPhone(page)), true)
      await openOnPhone(page).click()
      await page
        .getByRole('dialog')
        .getByRole('img', { name: /QR code/ })
        .waitFor()
    } finally {
      await page.context().close()
    }
  })

  test('tells whether a local file is a file of the build', async () => {
    const { page, takeProblems } = await openTab('files')
    const choose = (name: string, buffer: Buffer) =>
      page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
    await choose('renamed.bin', file.bytes)
    await page.getByText(`Matches ${file.filename}`).waitFor()
    const changed = Buffer.from(file.bytes)
    changed.writeUInt8(changed.readUInt8(0) ^ 1)
    await choose(file.filename, changed)
    await page.getByText(`Differs from ${file.filename}`).waitFor()
    await choose(file.filename, file.bytes.subarray(1))
    await page.getByText(/expected, but the file has/).waitFor()
    assert.deepEqual(takeProblems(), [])
  })

  test('saves notes in Markdown and shows HTML in them as text', async () => {
    const { page, takeProblems } = await openTab()
    await page.getByRole('button', { name: /^(Edit|Write notes)$/ }).click()
    const editor = page.getByRole('textbox', { name: 'Notes' })
    await editor.fill(
      '## Please test\n\n<img src=x onerror=alert(1)>\n\n- [x] ~~old~~\n\n| a |\n|---|\n| b |',
    )
    await editor.press('Escape')
    await editor.waitFor()
    await page.getByText('Preview', { exact: true }).click()
    await page.getByRole('cell', { name: 'b' }).waitFor()
    assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 1)
    assert.equal(await page.locator('del').innerText(), 'old')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Please test' }).waitFor()
    await page.getByText('<img src=x onerror=alert(1)>').waitFor()
    assert.deepEqual(takeProblems(), [])
  })

  test('creates a share link and revokes it', async () => {
    const { page, takeProblems } = await openTab('share-links')
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('menuitem', { name: 'New share link' }).click()
    await page.getByLabel('Download limit').fill('5')
    await page.getByRole('button', { name: 'Create link' }).click()
    const url = await page.getByLabel('share link', { exact: true }).textContent()
    await page.getByRole('button', { name: 'Done' }).click()
    const link = page.getByRole('listitem').filter({ hasText: '0 of 5 downloads' })
    await link.getByText('active', { exact: true }).waitFor()
    assert.equal((await fetch(url ?? '')).status, 200)
    await link.getByRole('button', { name: 'Revoke the link' }).click()
    await link.getByText('revoked', { exact: true }).waitFor()
    await page.getByText('Share link revoked.').waitFor()
    assert.equal((await fetch(url ?? '')).status, 410)
    assert.deepEqual(takeProblems(), [])
  })

  test('lists the entries that changed since the previous build', async () => {
    const { service } = console
    const tenant = await console.createTenant()
    const { applicationId } = tenant
    const fields = { primary_file: { filename: 'game.zip' } }
    const upload = async (entries: ZipEntry[]) =>
      (await uploadedBuild(service, tenant, fields, zipFile(entries))).build.id as string
    const textures = Array.from({ length: 60 }, (_, index) => ({
      name: `textures/${100 + index}.png`,
      data: 'x'.repeat(1000 + index),
    }))
    const base = await upload([
      { name: 'level.dat', data: 'old' },
      { name: 'credits.txt', data: 'the same' },
    ])
    const entries = [
      { name: 'level.dat', data: 'newer' },
      ...textures,
      { name: 'about.txt', data: 'the same' },
    ]
    const build = await upload(entries)
    const { page, open } = await console.newPage()
    await open(`${console.url}/applications/${applicationId}/builds/${build}?tab=compare&with=${base}`)
    const table = page.getByRole('table', { name: 'Entries' })
    await table.getByText('textures/159.png').waitFor()
    const totals = await page.getByRole('list', { name: 'Totals' }).getByRole('listitem').allTextContents()
    assert.deepEqual(totals, ['Added 60 entries, 60.3 KB', 'Changed 1 entry, 5 B', 'Renamed 1 entry, 8 B'])
    assert.equal(await table.getByRole('row').count(), 51)
    await page.getByRole('button', { name: 'Show more of 62 changed entries' }).click()
    await table.getByText('about.txt was credits.txt').waitFor()
    await page.getByLabel('Search entries').fill('LEVEL')
    await table.getByText('textures/159.png').waitFor({ state: 'detached' })
    assert.deepEqual(await table.getByRole('row').last().getByRole('cell').allTextContents(), [
      'Changed',
      'level.dat',
      '3 B → 5 B',
      '+2 B',
    ])
    const same = await upload(entries)
    await open(`${console.url}/applications/${applicationId}/builds/${same}?tab=compare&with=${build}`)
    await page.getByText('All entries are identical.').waitFor()
    assert.equal(await table.count(), 0)
  })

  test('shows a deleted build as trashed and restores it', async () => {
    const { page } = await openTab()
    await page.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const confirm = page.getByRole('button', { name: 'Delete build' })
    const trashed = page.getByText('This build is in the trash')
    await confirm.or(trashed).waitFor()
    if (await confirm.isVisible()) await confirm.click()
    await trashed.waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('tab', { name: 'Overview' }).waitFor()
  })
})
