import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { startOwnService } from '../../server/test/harness.ts'
import { until } from '../../server/test/until.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { keyboard, mouse, touch, type Hand } from './hands.ts'
import { findBarriers, findOverflow, observe, type Visitor, windowOf } from './visit.ts'

const maxMinutesToFirstBuild = 2
const linkPassword = 'open sesame'

const people = [
  { name: 'with the mouse alone', hand: mouse, width: 1440 },
  { name: 'with the keyboard alone', hand: keyboard, width: 1440 },
  { name: 'with the fingers on a phone', hand: touch, width: 390 },
]

describe('the first day of a new service', { skip: withoutChromium }, () => {
  let shared: Console
  before(async () => {
    shared = await sharedConsole()
  })

  async function openBrowser(width: number): Promise<Visitor> {
    const context = await shared.browser.newContext({ ...windowOf(width), reducedMotion: 'reduce' })
    // The dialog of the File System Access API cannot be controlled by a test.
    await context.addInitScript('window.showOpenFilePicker = undefined')
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    return observe(page)
  }

  for (const { name, hand, width } of people)
    test(`leads ${name} from the set-up link to a build, a protected share link and a release`, async (context) => {
      const service = await startOwnService({ environment: { QUAYSIDE_BOOTSTRAP_KEY: '' } })
      const owner = await openBrowser(width)
      const visitor = await openBrowser(width)
      try {
        const bytes = randomBytes(50_000)
        const person = hand(owner.page)
        const startedAt = performance.now()
        await setUp(owner.page, person, service.setupUrl ?? '', bytes)
        const minutes = (performance.now() - startedAt) / 60_000
        context.diagnostic(`${(minutes * 60).toFixed(1)} s to the first build`)
        assert.ok(minutes < maxMinutesToFirstBuild, `${minutes} minutes to the first build`)

        const link = await shareBuild(owner.page, person)
        assert.deepEqual(await downloadAsVisitor(visitor, hand(visitor.page), link), bytes)
        await publishRelease(owner.page, person)

        assert.deepEqual(await findOverflow(owner.page), [])
        assert.deepEqual([...owner.takeProblems(), ...visitor.takeProblems()].filter(isUnexpected), [])
      } finally {
        await owner.page.context().close()
        await visitor.page.context().close()
        await service.close()
      }
    })

  test('leads through the first steps, which a person can hide, and a sample that one click deletes', async () => {
    const service = await startOwnService({ environment: { QUAYSIDE_BOOTSTRAP_KEY: '' } })
    const owner = await openBrowser(1440)
    const { page } = owner
    const { press } = keyboard(page)
    const steps = page.getByRole('region', { name: 'First steps' })
    try {
      await fillSetup(page, mouse(page), service.setupUrl ?? '')
      page.once('dialog', (dialog) => void dialog.accept())
      await page.goto(service.url)
      // The set-up has created an API key.
      await steps.getByText('1 of 5 done').waitFor()
      await steps.getByRole('button', { name: 'Invite somebody' }).waitFor()
      assert.deepEqual(await findBarriers(page), [])

      await press(page.getByRole('button', { name: 'Create a sample' }))
      await page.getByText('This is a sample application.').waitFor()
      await page.getByText('1.1.0-nightly.1').first().waitFor()
      assert.deepEqual(await findBarriers(page), [])

      await press(page.getByRole('link', { name: 'Home' }))
      await steps.getByText('1 of 5 done').waitFor()
      await press(steps.getByRole('button', { name: 'Open Quayside on your phone' }))
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Phones cannot open this link yet').waitFor()
      await press(dialog.getByRole('button', { name: 'Done' }))
      await dialog.waitFor({ state: 'detached' })

      await press(steps.getByRole('button', { name: 'Hide first steps' }))
      await steps.waitFor({ state: 'detached' })
      await press(page.getByRole('button', { name: 'Undo' }))
      await steps.waitFor()

      await press(page.getByRole('article').getByRole('link', { name: 'Sample', exact: true }))
      await press(page.getByRole('button', { name: 'Delete sample' }))
      await page.getByText('Sample application deleted.').waitFor()
      await page.getByRole('link', { name: 'Sample', exact: true }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Create a sample' }).waitFor()
      assert.deepEqual(owner.takeProblems(), [])
    } finally {
      await page.context().close()
      await service.close()
    }
  })

  test('asks before the page with the API key is reloaded, and then leads to the API keys', async () => {
    const service = await startOwnService({ environment: { QUAYSIDE_BOOTSTRAP_KEY: '' } })
    const owner = await openBrowser(1440)
    const { page } = owner
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void (asked.length === 1 ? dialog.dismiss() : dialog.accept())
    })
    try {
      await fillSetup(page, mouse(page), service.setupUrl ?? '')
      const key = await page.getByLabel('API key', { exact: true }).innerText()
      await page.evaluate(() => window.location.reload())
      await until('the browser has asked', () => asked.length === 1)
      assert.equal(await page.getByLabel('API key', { exact: true }).innerText(), key)

      await page.reload()
      assert.deepEqual(asked, ['beforeunload', 'beforeunload'])
      await page.getByText('The API key of the set-up cannot be shown again.').waitFor()
      assert.ok(!(await page.content()).includes(key))
      await page.getByRole('link', { name: 'Open API keys of Aurora' }).click()
      await page.getByRole('heading', { name: 'API keys' }).waitFor()
      await page
        .getByRole('button', { name: /API key$/ })
        .first()
        .waitFor()
    } finally {
      await page.context().close()
      await service.close()
    }
  })
})

/** Chromium reports the status of the response to an incorrect password. */
const isUnexpected = (problem: string): boolean => !/status of (403|422)/.test(problem)

/** Fills in the form of the set-up and waits until the page shows the API key. */
async function fillSetup(page: Page, { fill, press }: Hand, setupUrl: string): Promise<void> {
  await page.goto(setupUrl)
  await fill(page.getByLabel('Workspace'), 'Acme Games')
  await fill(page.getByLabel('Your name'), 'Ana Ruiz')
  await fill(page.getByLabel('Email address'), 'ana@example.com')
  await fill(page.getByLabel('Password', { exact: true }), 'correct horse battery')
  await fill(page.getByLabel('First application'), 'Aurora')
  await press(page.getByRole('button', { name: 'Set up' }))
  await page.getByLabel('API key', { exact: true }).waitFor()
}

/** Sets up the service, uploads a file and waits until the list of builds shows it. */
async function setUp(page: Page, hand: Hand, setupUrl: string, bytes: Buffer): Promise<void> {
  const { press } = hand
  await fillSetup(page, hand, setupUrl)
  const chooser = page.waitForEvent('filechooser')
  await press(page.getByRole('button', { name: 'Choose files' }))
  await (
    await chooser
  ).setFiles({ name: 'aurora-1.2.0.apk', mimeType: 'application/octet-stream', buffer: bytes })
  await page.getByRole('heading', { level: 1, name: / has its first build$/ }).waitFor()
  await press(page.getByRole('link', { name: 'Continue to the console' }))
  await buildLink(page).waitFor()
}

const buildLink = (page: Page) =>
  page.locator('main a[href*="/builds/"]:visible').filter({ hasText: '1.2.0' }).first()

/** Creates a share link with a password for the build in the list. Returns its URL. */
async function shareBuild(page: Page, { fill, press }: Hand): Promise<string> {
  await press(buildLink(page))
  await press(page.getByRole('button', { name: 'Share', exact: true }))
  await press(page.getByRole('menuitem', { name: 'New share link' }))
  const dialog = page.getByRole('dialog')
  await fill(dialog.getByLabel('Password', { exact: true }), linkPassword)
  await press(dialog.getByRole('button', { name: 'Create link' }))
  const link = await dialog.getByLabel('share link', { exact: true }).innerText()
  await press(dialog.getByRole('button', { name: 'Done' }))
  await dialog.waitFor({ state: 'detached' })
  return link.trim()
}

/** Opens the link, enters an incorrect and then the correct password, and returns the downloaded bytes. */
async function downloadAsVisitor({ page }: Visitor, { fill, press }: Hand, link: string): Promise<Buffer> {
  await page.goto(link)
  await fill(page.getByLabel('Password'), 'guess')
  await press(page.getByRole('button', { name: 'Continue' }))
  await page.getByRole('alert').waitFor()
  await fill(page.getByLabel('Password'), linkPassword)
  await press(page.getByRole('button', { name: 'Continue' }))
  await page.getByRole('heading', { name: 'Aurora', exact: true }).waitFor()
  await page.getByText('1.2.0').first().waitFor()
  assert.deepEqual(await findOverflow(page), [])
  assert.deepEqual(await findBarriers(page), [])
  const download = page.waitForEvent('download')
  await press(page.getByRole('button', { name: /^Download/ }).first())
  const file = await download
  assert.equal(file.suggestedFilename(), 'aurora-1.2.0.apk')
  return readFile(await file.path())
}

/** Saves a release with the build as a draft, and publishes it. */
async function publishRelease(page: Page, { press }: Hand): Promise<void> {
  await press(page.getByRole('link', { name: 'Releases', exact: true }))
  await press(page.getByRole('link', { name: 'New release' }).first())
  await press(page.getByRole('button', { name: /^1\.2\.0/ }))
  await press(page.getByRole('radio', { name: /^Save as draft/ }))
  await press(page.getByRole('button', { name: 'Save draft' }))
  await page.getByText('This release is a draft.').waitFor()
  const publish = page.getByRole('button', { name: 'Publish', exact: true })
  const toast = page.getByRole('alert').filter({ hasText: 'Draft saved.' })
  await waitUntilStill(toast)
  assert.ok(!overlap(await boxOf(toast), await boxOf(publish)), 'The toast covers the button.')
  await press(publish)
  await press(page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }))
  await page.getByText('Release published.').waitFor()
  await page.getByRole('button', { name: 'Withdraw' }).waitFor()
}

type Box = { x: number; y: number; width: number; height: number }

async function boxOf(element: Locator): Promise<Box> {
  const box = await element.boundingBox()
  assert.ok(box !== null, `${String(element)} is not shown`)
  return box
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Waits until the element no longer moves and nothing covers it. */
const waitUntilStill = (element: Locator): Promise<void> => element.click({ trial: true })
