import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { QuaysideClient } from '@quayside/sdk'
import type { Page } from 'playwright-core'
import { storesInS3 } from '../../server/test/acceptance/test-storage.ts'
import { createBucket, listSizes, missingS3Server, sharedS3Server } from '../../server/test/s3-server.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'

const mebibyte = 1024 * 1024

describe('uploads to the bucket of an application', { skip: withoutChromium || missingS3Server }, () => {
  let console: Console
  let client: QuaysideClient
  let shared: Awaited<ReturnType<typeof sharedS3Server>>
  let application: string
  // A new bucket has no CORS settings.
  const bucket = `console-${randomUUID()}`

  before(async () => {
    console = await sharedConsole()
    client = (await console.fill()).client
    shared = await sharedS3Server()
    await createBucket(shared.server, bucket)
    application = (await console.createApplication()).id
  })
  after(() => shared?.release())

  const uploadPage = () => `${console.url}/upload?application=${application}`
  const reaches = (page: Page, filename: string, phase: string): Promise<void> =>
    page.locator(`article[aria-label="${filename}"][data-phase="${phase}"]`).waitFor({ timeout: 120_000 })
  const choose = (page: Page, name: string, buffer: Buffer): Promise<void> =>
    page.getByLabel('Files to upload').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })

  async function download(version: string): Promise<Buffer> {
    const { data: builds } = await client.listBuilds({ application_id: application })
    const build_id = builds.find((build) => build.version === version)?.id ?? ''
    const { primary_file: file } = await client.getBuildDownload({ application_id: application, build_id })
    const { headers } = await fetch(file.temp_url, { redirect: 'manual' })
    assert.ok(headers.get('location')?.startsWith(`${shared.server.endpoint}/${bucket}/game/objects/`))
    return Buffer.from(await (await fetch(file.temp_url)).arrayBuffer())
  }

  test('arrive there after the bucket was set in the settings, with progress and without errors', async () => {
    const visitor = await console.newPage()
    const { page } = visitor
    const earlier = await console.newPage()
    await earlier.page.addInitScript('window.showOpenFilePicker = undefined')
    await earlier.open(uploadPage())

    await visitor.open(`${console.url}/applications/${application}/settings?section=storage`)
    const form = page.getByRole('form', { name: 'Bucket' })
    await form.getByLabel('Endpoint').fill(shared.server.endpoint)
    await form.getByLabel('Bucket', { exact: true }).fill(bucket)
    await form.getByLabel('Prefix').fill('game')
    await form.getByLabel('Access key').fill(shared.server.accessKeyId)
    await form.getByLabel('Secret key').fill(shared.server.secretAccessKey)
    await form.getByRole('button', { name: 'Test and save' }).click()
    await page.getByText('Bucket saved').waitFor({ timeout: 120_000 })
    await page.getByText('Changed the CORS settings of the bucket.').waitFor()
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('New uploads go to this bucket.').waitFor()

    await page.addInitScript('window.showOpenFilePicker = undefined')
    await visitor.open(uploadPage())
    const whole = randomBytes(3 * mebibyte)
    await choose(page, 'whole-1.0.0.tar.gz', whole)
    await reaches(page, 'whole-1.0.0.tar.gz', 'done')
    await limitSpeed(page)
    const parts = randomBytes(12 * mebibyte)
    await choose(page, 'parts-2.0.0.tar.gz', parts)
    await page.waitForFunction(() => {
      const bar = document.querySelector('[aria-label="Progress of parts-2.0.0.tar.gz"]')
      const percent = Number(bar?.getAttribute('aria-valuenow') ?? 0)
      return percent > 0 && percent < 100
    })
    await reaches(page, 'parts-2.0.0.tar.gz', 'done')
    assert.deepEqual(await listSizes(shared.server, bucket, 'game/objects/'), [whole.length, parts.length])
    assert.deepEqual([await download('1.0.0'), await download('2.0.0')], [whole, parts])
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()

    const late = randomBytes(1_000)
    await choose(earlier.page, 'late-3.0.0.tar.gz', late)
    // The policy of a page that was opened before does not contain the address of the bucket. If the service stores its
    // own files in S3, the address is the same.
    if (!storesInS3) {
      await reaches(earlier.page, 'late-3.0.0.tar.gz', 'failed')
      await earlier.page.getByText('Reload the page and choose the file again').waitFor()
      await earlier.page.reload()
      await reaches(earlier.page, 'late-3.0.0.tar.gz', 'needs-file')
      await choose(earlier.page, 'late-3.0.0.tar.gz', late)
    }
    await reaches(earlier.page, 'late-3.0.0.tar.gz', 'done')
    assert.deepEqual(await download('3.0.0'), late)
    await earlier.page.context().close()
  })

  /** Slows the uploads of a page, so that its progress can be observed. */
  async function limitSpeed(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 2 * mebibyte,
    })
  }
})
