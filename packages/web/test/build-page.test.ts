import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'

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
    await page.getByRole('textbox', { name: 'Notes' }).fill('## Please test\n\n<img src=x onerror=alert(1)>')
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
    const url = await page.getByRole('dialog').locator('pre').textContent()
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
