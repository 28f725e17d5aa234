import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { QuaysideClient } from '@quayside/sdk'
import type { Locator } from 'playwright-core'
import { until } from '../../server/test/until.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'

/** Waits until an image is loaded and visible. */
async function waitForImage(image: Locator): Promise<void> {
  await image.waitFor()
  await until('the image is loaded', () =>
    image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth > 50),
  )
}

describe('the pages of streams', { skip: withoutChromium }, () => {
  let console: Console
  let client: QuaysideClient
  let path: { application_id: string }

  before(async () => {
    console = await sharedConsole()
    const filled = await console.fill()
    client = filled.client
    path = { application_id: filled.ids['applicationId'] ?? '' }
  })

  const open = async (search = '') => {
    const visitor = await console.newPage()
    await visitor.open(`${console.url}/applications/${path.application_id}/streams${search}`)
    return visitor
  }

  test('previews retention while the number of days changes, and saves it', async () => {
    const { data: builds } = await client.listBuilds({ ...path, per_page: 100 })
    const name = builds[0]?.stream.name ?? ''
    const stream = { ...path, stream_identifier: name }
    const { data: before } = await client.getStream(stream)
    const { page, takeProblems } = await open(`?stream=${name}`)
    await page.getByText('For a number of days').click()
    await page.getByLabel('Days', { exact: true }).first().fill('400')
    await page.getByText('Preview: builds would be kept for 400 days.').waitFor()
    await page
      .getByText(/^Moves to the trash in \d+ days$/)
      .first()
      .waitFor()
    assert.deepEqual((await client.getStream(stream)).data.retention_days, before.retention_days)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Retention saved.').waitFor()
    assert.equal((await client.getStream(stream)).data.retention_days, 400)
    await page.getByText('Forever', { exact: true }).click()
    await page.getByText('Preview: no build would move to the trash.').waitFor()
    await page.getByText('The stream keeps builds forever').first().waitFor()
    assert.deepEqual(takeProblems(), [])
  })

  test('shows the permalinks of a stream and of a release with their badges', async () => {
    const { data: builds } = await client.listBuilds({ ...path, per_page: 100 })
    const { stream, platform } = builds[0] ?? assert.fail('no build')
    const { page, takeProblems } = await open(`?stream=${stream.name}`)
    await page.getByRole('button', { name: 'Permalink' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Platform').click()
    await page.getByRole('option', { name: platform.name, exact: true }).click()
    const url = `${console.url}/d/${path.application_id}/${stream.id}/latest/${platform.identifier}`
    await dialog.getByLabel('permalink', { exact: true }).getByText(url).waitFor()
    await waitForImage(dialog.getByRole('img', { name: `Badge for ${platform.name}` }))
    await dialog.getByRole('button', { name: 'Done' }).click()
    const { data: releases } = await client.listReleases({ ...path, per_page: 100 })
    const release = releases.find(({ status, build_count }) => status === 'published' && build_count > 0)
    assert.ok(release)
    await page.goto(`${console.url}/applications/${path.application_id}/releases/${release.id}`)
    const section = page.getByRole('region', { name: 'Permalink' })
    await waitForImage(section.getByRole('img', { name: /^Badge for/ }))
    await section.getByText(`/releases/${release.version}/`).first().waitFor()
    await section.getByText('Latest version').click()
    await section.getByText('/releases/latest/').first().waitFor()
    await waitForImage(section.getByRole('img', { name: /^Badge for/ }))
    assert.deepEqual(takeProblems(), [])
  })

  test('creates a stream, and deletes it after its builds have moved to another', async () => {
    const { page, takeProblems } = await open()
    await page.getByRole('button', { name: 'New stream' }).click()
    await page.getByLabel('Name').fill('short-lived')
    await page.getByLabel('Keep builds for').fill('14')
    await page.getByRole('button', { name: 'Create stream' }).click()
    const row = page.getByRole('row').filter({ hasText: 'short-lived' })
    await row.getByText('Kept for 14 days').waitFor()
    const { data: builds } = await client.listBuilds(path)
    const [build] = builds
    assert.ok(build)
    await client.moveBuild({ ...path, build_id: build.id, body: { stream: 'short-lived' } })
    await page.getByRole('link', { name: 'short-lived' }).click()
    await page.getByText(/^1 build ·/).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('1 build in this stream must move to another stream.').waitFor()
    await page.getByRole('combobox', { name: 'Move builds and unfinished uploads to' }).click()
    await page.getByRole('option', { name: build.stream.name, exact: true }).click()
    await page.getByRole('button', { name: 'Delete stream' }).click()
    await page.getByText('Stream deleted.').waitFor()
    const moved = await client.getBuild({ ...path, build_id: build.id })
    assert.equal(moved.data.stream.name, build.stream.name)
    assert.deepEqual(takeProblems(), [])
  })
})
