import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'

describe('the page of downloads', { skip: withoutChromium }, () => {
  let console: Console
  let path: string

  before(async () => {
    console = await sharedConsole()
    const { client, ids } = await console.fill()
    const applicationId = ids['applicationId'] ?? ''
    path = `/applications/${applicationId}/downloads`
    const { data: builds } = await client.listBuilds({ application_id: applicationId, per_page: 1 })
    await client.getBuildDownload({ application_id: applicationId, build_id: builds[0]?.id ?? '' })
  })

  test('filters and groups downloads, keeps both in the URL and exports what is shown', async () => {
    const { page, open, takeProblems } = await console.newPage()
    await open(`${console.url}${path}`)
    const rows = page.getByRole('table', { name: 'Downloads' }).getByRole('row')
    await rows.nth(1).waitFor()
    await page.getByRole('combobox', { name: 'Group by' }).or(page.getByLabel('Group by')).first().click()
    await page.getByRole('option', { name: 'By channel' }).click()
    await page.waitForURL(/by=channel/)
    await page.getByRole('button', { name: 'API', exact: true }).click()
    await page.waitForURL(/channel=api/)
    await rows.nth(1).waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export CSV' }).click()
    const text = await readFile(await (await saved).path(), 'utf8')
    const lines = text.trimEnd().split('\r\n')
    assert.match(lines[0] ?? '', /^\u{FEFF}created_at,channel,/u)
    assert.ok(lines.length > 1 && lines.slice(1).every((line) => line.includes(',api,')), text)
    await page.getByLabel('Version', { exact: true }).fill('99.0.0')
    await page.getByText('No matching downloads').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await rows.nth(1).waitFor()
    assert.deepEqual(takeProblems(), [])
  })
})
