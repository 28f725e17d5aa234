import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { QuaysideClient } from '@quayside/sdk'
import { put } from '../../server/test/uploading.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { findBarriers, findOverflow } from './visit.ts'

describe('uploads in the builds list and on the upload page', { skip: withoutChromium }, () => {
  let console: Console
  let client: QuaysideClient

  before(async () => {
    console = await sharedConsole()
    client = (await console.fill()).client
  })

  const startUpload = async (application_id: string) => {
    const { pending_upload_id } = await client.requestUpload({
      body: {
        application_id,
        platform: 'linux',
        stream: 'default',
        source: 'ghactions',
        ci_run_id: '4821',
        primary_file: { filename: 'live.tar.gz', size_bytes: 1000 },
        version_component_1_major: 3,
        version_component_2_minor: 1,
        version_component_3_patch: 4,
      },
    })
    return pending_upload_id
  }

  async function sendPart(pending_upload_id: string, part_number: number, bytes: Uint8Array): Promise<void> {
    const body = { pending_upload_id, part_number, content_length: bytes.length }
    const { part_presigned_url } = await client.requestUploadPart({ body })
    assert.equal((await put(part_presigned_url, bytes)).status, 200)
  }

  for (const width of [1440, 390])
    test(`appear, grow and become builds without a reload at ${width} px`, async () => {
      const { id: application } = await console.createApplication()
      const visitor = await console.newPage({ width })
      const { page } = visitor
      await visitor.open(`${console.url}/applications/${application}`)
      await page.getByText('No builds yet').waitFor()
      await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }))

      const id = await startUpload(application)
      const uploads = page.getByRole('region', { name: 'Uploads in progress' })
      await uploads.getByText('3.1.4').waitFor()
      await uploads.getByText('live.tar.gz').waitFor()
      await uploads.getByText('GitHub Actions #4821').waitFor()
      await uploads.getByText('Receiving…').waitFor()
      await sendPart(id, 1, randomBytes(400))
      await uploads.getByText('40 %').waitFor()
      await sendPart(id, 2, randomBytes(600))
      await uploads.getByText('100 %').waitFor()
      assert.equal(await uploads.getByRole('progressbar').getAttribute('aria-valuenow'), '100')
      assert.deepEqual(await findBarriers(page), [])
      assert.deepEqual(await findOverflow(page), [])

      await client.verifyUpload({ body: { pending_upload_id: id } })
      await page.getByRole('link', { name: '3.1.4' }).waitFor()
      await uploads.waitFor({ state: 'detached' })
      assert.ok(await page.evaluate(() => 'isSameDocument' in globalThis))
      assert.deepEqual(visitor.takeProblems(), [])
      await page.context().close()
    })

  test('disappear when they are aborted', async () => {
    const { id: application } = await console.createApplication()
    const visitor = await console.newPage()
    await visitor.open(`${console.url}/applications/${application}`)
    const id = await startUpload(application)
    const uploads = visitor.page.getByRole('region', { name: 'Uploads in progress' })
    await uploads.waitFor()
    await client.abortUpload({ body: { pending_upload_id: id } })
    await uploads.waitFor({ state: 'detached' })
    assert.deepEqual(visitor.takeProblems(), [])
    await visitor.page.context().close()
  })

  test('ask once for the platforms that accept all chosen files, and add them', async () => {
    const body = { name: `Phone app ${randomBytes(4).toString('hex')}`, platforms: ['android', 'ios'] }
    const { data: application } = await client.createApplication({ body })
    const visitor = await console.newPage()
    const { page } = visitor
    await page.addInitScript('window.showOpenFilePicker = undefined')
    await visitor.open(`${console.url}/upload?application=${application.id}`)
    await page.getByText('Accepts .apk, .aab, and .ipa').waitFor()
    const names = ['web-1.0.0.zip', 'tool-2.0.0.exe', 'web-1.0.1.zip', 'data-3.0.0.xyz']
    await page
      .getByLabel('Files to upload')
      .setInputFiles(names.map((name) => ({ name, mimeType: 'application/zip', buffer: randomBytes(1_000) })))
    const needed = page.getByRole('group', { name: 'Choose a platform for 4 files' })
    await needed.getByText(`${body.name} accepts .apk, .aab, and .ipa.`).waitFor()
    await needed.getByText('web-1.0.0.zip, web-1.0.1.zip, data-3.0.0.xyz').waitFor()
    const apply = needed.getByRole('button', { name: 'Add Generic and Windows, then upload all 4' })
    await apply.waitFor()
    assert.equal(await page.locator('main [data-variant=filled]:visible').count(), 1, 'primary buttons')
    await apply.click()
    for (const name of names) await page.locator(`article[aria-label="${name}"][data-phase=done]`).waitFor()
    const { data: platforms } = await client.listPlatforms({ application_id: application.id })
    assert.deepEqual(platforms.map(({ identifier }) => identifier).toSorted(), [
      'android',
      'generic',
      'ios',
      'windows',
    ])
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()
  })
})
