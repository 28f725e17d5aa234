import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { shortId } from '../../server/src/lib/ids.ts'
import { sha256OfFile } from '../../server/src/operations/export/json-lines.ts'
import { startOwnService, type Service, type Tenant } from '../../server/test/harness.ts'
import { until } from '../../server/test/until.ts'
import { launchChromium, withoutChromium } from './chromium.ts'

const sizeMib = Number(process.env['QUAYSIDE_BROWSER_UPLOAD_MIB'] ?? 48)
const mebibyte = 1024 * 1024
/** Slow enough that the network limits the upload on a busy machine, and that the test can interrupt it several times. */
const bytesPerSecond = Math.max(3, sizeMib / 150) * mebibyte
const timeoutMs = 60_000 + sizeMib * 100

describe('uploads in the console', { skip: withoutChromium }, () => {
  let service: Service
  let tenant: Tenant
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let folder: string
  const problems: string[] = []

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quayside-test-'))
    service = await startOwnService({
      environment: { QUAYSIDE_PART_SIZE_MB: sizeMib > 1024 ? '16' : '5', QUAYSIDE_CHUNK_THRESHOLD_MB: '5' },
    })
    tenant = await service.tenant()
    browser = await launchChromium()
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    // The dialog of the File System Access API cannot be controlled by a test.
    await context.addInitScript('window.showOpenFilePicker = undefined')
    const [name = '', value = ''] = (await ownerCookie()).split(/=(.*)/s)
    await context.addCookies([{ name, value, url: service.url }])
    page = await openUploads()
  })

  after(async () => {
    await browser?.close()
    await service?.close()
    if (folder !== undefined) await rm(folder, { recursive: true })
    assert.deepEqual(problems, [], 'errors in the console of the browser')
  })

  async function ownerCookie(): Promise<string> {
    const { db } = service.deps
    const id = shortId(10)
    await db
      .insertInto('users')
      .values({ id, email: 'owner@example.com', email_verified: true, name: 'Ana Ruiz' })
      .execute()
    await db
      .insertInto('workspace_members')
      .values({ workspace_id: tenant.workspaceId, user_id: id, name: 'Ana Ruiz', role: 'owner' })
      .execute()
    return service.signIn(id, tenant.workspaceId)
  }

  async function openUploads(): Promise<Page> {
    const opened = await context.newPage()
    opened.setDefaultTimeout(60_000)
    opened.on('pageerror', (error) => problems.push(String(error)))
    opened.on('console', (message) => {
      // Chromium reports each request that fails while it is offline, that the server rejects, or that the console repeats
      // because the server is busy.
      if (message.type() === 'error' && !/ERR_INTERNET_DISCONNECTED|status of (422|503)/.test(message.text()))
        problems.push(message.text())
    })
    await opened.goto(`${service.url}/upload?application=${tenant.applicationId}`)
    await opened.getByRole('button', { name: 'Choose files' }).waitFor()
    return opened
  }

  const row = (filename: string, on = page): Locator =>
    on.getByRole('article', { name: filename, exact: true })
  const reaches = (filename: string, phase: string, on = page): Promise<void> =>
    on.locator(`article[aria-label="${filename}"][data-phase="${phase}"]`).waitFor({ timeout: timeoutMs })
  const choose = (paths: string[], on = page): Promise<void> =>
    on.getByLabel('Files to upload').setInputFiles(paths)

  async function percentOf(filename: string): Promise<number> {
    return Number(await row(filename).getByRole('progressbar').getAttribute('aria-valuenow'))
  }

  /** Waits until at least this much of a file has been sent. */
  async function sends(filename: string, percent: number): Promise<void> {
    await until(`${percent} % of ${filename}`, async () => (await percentOf(filename)) >= percent, {
      withinMs: timeoutMs,
      everyMs: 50,
    })
  }

  /** Compares the displayed speed and remaining time of an upload with how long the next 8 % of it take. */
  async function compareProgress(filename: string) {
    const display = row(filename).getByText(/MB\/s · .* left/)
    const shown = await display.innerText({ timeout: timeoutMs })
    const [, speed, left, unit, percent] = /([\d.]+) MB\/s · (\d+) (s|min) left · (\d+)/.exec(shown) ?? []
    const [startedAt, start] = [performance.now(), await percentOf(filename)]
    await sends(filename, start + 8)
    const percentPerSecond = (1000 * ((await percentOf(filename)) - start)) / (performance.now() - startedAt)
    const leftUnit = unit === 'min' ? 60 : 1
    const isNear =
      isClose(Number(speed), (percentPerSecond * sizeMib) / 100, 1) &&
      isClose(Number(left) * leftUnit, (100 - Number(percent)) / percentPerSecond, leftUnit)
    return { isNear, text: `${shown}; measured ${percentPerSecond.toFixed(1)} % per second` }
  }

  async function createFile(name: string, bytes: Uint8Array): Promise<string> {
    const path = join(folder, name)
    await writeFile(path, bytes)
    return path
  }

  async function builds() {
    const path = `/applications/${tenant.applicationId}/builds?per_page=100`
    const { body } = await service.call('GET', path, { key: tenant.applicationKey })
    return body.data as {
      id: string
      version: string
      stream: { name: string }
      platform: { identifier: string }
    }[]
  }

  async function checksumOf(version: string): Promise<string> {
    const id = (await builds()).find((build) => build.version === version)?.id
    const path = `/applications/${tenant.applicationId}/builds/${id}`
    for (;;) {
      const { body } = await service.call('GET', path, { key: tenant.applicationKey })
      const sha256 = body.data.primary_file.checksum_sha256 as string | null
      // A job computes the checksum of a large file.
      if (sha256 !== null) return sha256
      await page.waitForTimeout(500)
    }
  }

  test('uploads chosen and dropped files', async () => {
    const paths = ['aurora-2.14.0.apk', 'Aurora-2.14.1-win64.zip'].map((name) =>
      createFile(name, randomBytes(90_000)),
    )
    await choose(await Promise.all(paths))
    await page.evaluate(`{
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['content'], 'dropped-3.1.0.exe'))
      const send = (type) =>
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
      send('dragenter')
      send('drop')
    }`)
    for (const name of ['aurora-2.14.0.apk', 'Aurora-2.14.1-win64.zip', 'dropped-3.1.0.exe'])
      await reaches(name, 'done')
    const found = (await builds()).map(({ version, platform }) => `${version} ${platform.identifier}`)
    assert.deepEqual(found.toSorted(), ['2.14.0 android', '2.14.1 windows', '3.1.0 windows'])
    assert.equal(await row('aurora-2.14.0.apk').getByRole('link', { name: 'Open build' }).count(), 1)
  })

  test('waits for the version if the file name contains none', async () => {
    await choose([await createFile('setup.exe', randomBytes(5_000))])
    await reaches('setup.exe', 'incomplete')
    const version = row('setup.exe').getByLabel('Version')
    await version.fill('4.0')
    await row('setup.exe').getByRole('combobox', { name: 'Stream' }).click()
    await page.getByRole('option', { name: 'stable' }).click()
    await row('setup.exe').getByLabel('Build number').focus()
    assert.equal((await builds()).length, 3, 'not while a field is being edited')
    await page.getByRole('heading', { name: 'Upload', exact: true }).click()
    await reaches('setup.exe', 'done')
    const build = (await builds()).find(({ version: text }) => text === '4.0.0')
    assert.equal(build?.stream.name, 'stable')
  })

  test('shows the sentence of the server next to the field', async () => {
    await choose([await createFile('firmware-1.0.0.bin', randomBytes(1_000))])
    await reaches('firmware-1.0.0.bin', 'done')
    await choose([await createFile('app-1.0.0.dmg', randomBytes(1_000))])
    await reaches('app-1.0.0.dmg', 'needs-platform')
    await row('app-1.0.0.dmg').getByRole('combobox', { name: 'Platform' }).click()
    await page.getByRole('option', { name: 'Linux' }).click()
    await row('app-1.0.0.dmg')
      .getByText(/linux does not accept/i)
      .waitFor()
    await row('app-1.0.0.dmg').getByRole('button', { name: 'Cancel' }).click()
  })

  test(`resumes a file of ${sizeMib} MiB after a pause, a lost connection and a reload`, async (t) => {
    const name = 'big-9.0.0.bin'
    const path = join(folder, name)
    await writeSparseFile(path, sizeMib * mebibyte)
    const limitSpeed = await speedLimitOf(page)
    await limitSpeed(bytesPerSecond)
    await choose([path])
    await sends(name, 15)
    let progress = await compareProgress(name)
    // Other processes can slow the upload during a measurement. A wrong display would differ from each of them.
    for (let count = 1; !progress.isNear && count < 4; count++) progress = await compareProgress(name)
    t.diagnostic(progress.text)
    assert.ok(progress.isNear, progress.text)

    // On a busy machine, opening a page takes longer than the rest of the upload.
    await limitSpeed(bytesPerSecond / 50)
    const second = await openUploads()
    await reaches(name, 'elsewhere', second)
    await second.close()

    await row(name).getByRole('button', { name: 'Pause' }).click()
    await reaches(name, 'paused')
    await limitSpeed(bytesPerSecond)
    await row(name).getByRole('button', { name: 'Resume' }).click()
    // Whatever the upload waits for at this moment: the server, a signed URL or storage.
    await context.setOffline(true)
    await reaches(name, 'offline')
    await context.setOffline(false)
    await sends(name, 40)

    await context.setOffline(true)
    await reaches(name, 'offline')
    const stored = await percentOf(name)
    await context.setOffline(false)
    await reaches(name, 'uploading')
    assert.ok((await percentOf(name)) >= stored, 'keeps the parts that are stored')
    await sends(name, 60)

    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type())
      void dialog.accept()
    })
    await page.reload()
    assert.deepEqual(dialogs, ['beforeunload'])
    await reaches(name, 'needs-file')
    assert.ok((await percentOf(name)) > 15, 'keeps the parts that are stored')
    const other = await createFile(`other-${name}`, randomBytes(1_000))
    await page.getByLabel(`File to resume ${name}`).setInputFiles(other)
    await row(name)
      .getByText(/This is a different file/)
      .waitFor()
    await page.getByLabel(`File to resume ${name}`).setInputFiles(path)
    await reaches(name, 'uploading')

    // Uploads continue while another page is open.
    await page.getByRole('link', { name: 'Home' }).click()
    const indicator = page.getByRole('navigation').getByRole('link', { name: /^\d+ uploads?/ })
    await indicator.click()
    await reaches(name, 'done')
    t.diagnostic(`memory of the tab: at most ${await rendererMib()} MiB`)
    assert.equal(await checksumOf('9.0.0'), await sha256OfFile(path))
  })

  test('has no accessibility violations', async () => {
    await choose([await createFile('tool.exe', randomBytes(1_000))])
    await reaches('tool.exe', 'incomplete')
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core'), 'utf8'))
    const violations = await page.evaluate(`axe.run().then(({ violations }) =>
      violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
        .map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join(' ')))`)
    assert.deepEqual(violations, [])
  })

  /** Returns a function that limits how fast a page sends. */
  async function speedLimitOf(on: Page) {
    const session = await context.newCDPSession(on)
    await session.send('Network.enable')
    const others = { offline: false, latency: 0, downloadThroughput: -1 }
    return (uploadThroughput: number) =>
      session.send('Network.emulateNetworkConditions', { ...others, uploadThroughput })
  }

  /** Returns the highest memory use of a process that shows a page. */
  async function rendererMib(): Promise<number> {
    const session = await browser.newBrowserCDPSession()
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    const peaks = processInfo
      .filter(({ type }) => type === 'renderer')
      .map(async ({ id }) => {
        const status = await readFile(`/proc/${id}/status`, 'utf8')
        return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
      })
    return Math.round(Math.max(...(await Promise.all(peaks))))
  }
})

/** Returns whether a value is within 40 % of another one; `rounding` is the unit in which it is shown. */
const isClose = (actual: number, expected: number, rounding: number): boolean =>
  Math.abs(actual - expected) <= expected * 0.4 + rounding

/** Writes a file that takes little space on disk, with random bytes in each part. */
async function writeSparseFile(path: string, sizeBytes: number): Promise<void> {
  const file = await open(path, 'w')
  await file.truncate(sizeBytes)
  for (let offset = 0; offset < sizeBytes; offset += 4 * mebibyte)
    await file.write(randomBytes(4_096), 0, 4_096, offset)
  await file.close()
}
