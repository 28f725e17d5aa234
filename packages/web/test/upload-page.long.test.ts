import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { QuaysideClient } from '@quayside/sdk'
import type { Locator, Page } from 'playwright-core'
import { noise, open, readAll, sequence, words, writeFiles } from '../../cli/test/archived-folder.ts'
import { ipaFile } from '../../server/test/inspection/apple-packages.ts'
import { insertMember } from '../../server/test/people.ts'
import { until } from '../../server/test/until.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { findBarriers, findOverflow } from './visit.ts'

const ipaOf = (bundle: string, version: string): Buffer =>
  ipaFile({
    info: `<?xml version="1.0"?><plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>${bundle}</string>
      <key>CFBundleShortVersionString</key><string>${version}</string>
      <key>CFBundleSupportedPlatforms</key><array><string>iPhoneOS</string></array>
    </dict></plist>`,
  })

const fileOf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })

describe('the upload page', { skip: withoutChromium }, () => {
  let console: Console
  let client: QuaysideClient

  before(async () => {
    console = await sharedConsole()
    client = (await console.fill()).client
  })

  async function createApplication(platforms: string[]) {
    const name = `Upload ${randomBytes(4).toString('hex')}`
    return (await client.createApplication({ body: { name, platforms } })).data
  }

  async function openUploads(application: string, look: Parameters<Console['newPage']>[0] = {}) {
    const visitor = await console.newPage(look)
    // The dialogs of the File System Access API cannot be controlled by a test.
    await visitor.page.addInitScript(
      'window.showOpenFilePicker = undefined; window.showDirectoryPicker = undefined',
    )
    await visitor.open(`${console.url}/upload?application=${application}`)
    return visitor
  }

  const row = (page: Page, filename: string): Locator =>
    page.getByRole('article', { name: filename, exact: true })
  const reaches = (page: Page, filename: string, phase: string): Promise<void> =>
    page.locator(`article[aria-label="${filename}"][data-phase="${phase}"]`).waitFor()
  const choose = (page: Page, files: ReturnType<typeof fileOf>[]): Promise<void> =>
    page.getByLabel('Files to upload').setInputFiles(files)
  const buildsOf = async (application_id: string) =>
    (await client.listBuilds({ application_id, per_page: 100 })).data

  /** Uploads a package, so that the application is known by its bundle identifier. */
  async function createKnownApplication(bundle: string) {
    const application = await createApplication(['ios', 'generic'])
    const { page } = await openUploads(application.id)
    await choose(page, [fileOf('first-0.1.0.ipa', ipaOf(bundle, '0.1.0'))])
    await reaches(page, 'first-0.1.0.ipa', 'done')
    await page.context().close()
    await until('the package has been read', async () => {
      const [build] = await buildsOf(application.id)
      return build?.processing === 'done'
    })
    return application
  }

  test('uploads a folder as the archive that the command line creates', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
    const path = join(folder.path, 'Build')
    const next = sequence(5)
    await writeFiles(path, {
      '.quaysideignore': '*.pdb\n',
      'game.pdb': 'symbols',
      'start.sh': '#!/bin/sh\n',
      'data/world.txt': words(900_000, next),
      // More than two parts.
      'data/noise.pak': noise(11_000_000, next),
    })
    await chmod(join(path, 'start.sh'), 0o755)
    const archive = await readAll(await open(path))
    const { id } = await createApplication(['generic'])
    const { page } = await openUploads(id)
    await page.getByLabel('Folder to upload').setInputFiles(path)
    await reaches(page, 'Build.zip', 'incomplete')
    await row(page, 'Build.zip').getByText('3 of 3 files').waitFor()
    await page.getByText('quayside upload ./Build').waitFor()
    await row(page, 'Build.zip').getByLabel('Version').fill('1.4.0')
    await page.getByRole('heading', { name: 'Upload', exact: true }).click()
    await reaches(page, 'Build.zip', 'done')
    const [build] = await buildsOf(id)
    const sha256 = createHash('sha256').update(archive).digest('hex')
    await until('the checksum', async () => {
      const { data } = await client.getBuild({ application_id: id, build_id: build?.id ?? '' })
      return data.primary_file.checksum_sha256 === sha256
    })
    await page.context().close()
  })

  test('uploads a dropped folder', async () => {
    const { id } = await createApplication(['generic'])
    const { page } = await openUploads(id)
    await page.evaluate(`{
      const file = { name: 'a.txt', isDirectory: false, file: (resolve) => resolve(new File(['content'], 'a.txt')) }
      const readerOf = (entries) => () => ({ readEntries: (resolve) => resolve(entries.splice(0)) })
      const entry = { name: 'Dropped-2.0.0', isDirectory: true, createReader: readerOf([file]) }
      const item = { kind: 'file', getAsFile: () => null, webkitGetAsEntry: () => entry }
      const event = new DragEvent('drop', { bubbles: true, cancelable: true })
      Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items: [item] } })
      document.body.dispatchEvent(event)
    }`)
    await reaches(page, 'Dropped-2.0.0.zip', 'done')
    assert.deepEqual(
      (await buildsOf(id)).map(({ version }) => version),
      ['2.0.0'],
    )
    await page.context().close()
  })

  test('resumes a folder after a reload, once the same folder is chosen again', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
    const [path, other] = [join(folder.path, 'Build'), join(folder.path, 'other', 'Build')]
    await writeFiles(path, { 'a.txt': 'content' })
    await writeFiles(other, { 'a.txt': 'Content' })
    const { id } = await createApplication(['generic'])
    const { page } = await openUploads(id)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByLabel('Folder to upload').setInputFiles(path)
    await reaches(page, 'Build.zip', 'incomplete')
    await page.reload()
    await reaches(page, 'Build.zip', 'needs-file')
    const again = page.getByLabel('Folder to resume Build.zip')
    await again.setInputFiles(other)
    await page.getByText('This is a different folder').waitFor()
    await again.setInputFiles(path)
    await reaches(page, 'Build.zip', 'incomplete')
    await page.context().close()
  })

  for (const width of [1440, 390])
    test(`sets values for all files of a drop, which rows override, at ${width} px`, async () => {
      const { id } = await createApplication(['windows'])
      const { page, takeProblems } = await openUploads(id, { width })
      await choose(
        page,
        ['one.exe', 'two.exe', 'three.exe'].map((name) => fileOf(name, randomBytes(500))),
      )
      for (const name of ['one.exe', 'two.exe', 'three.exe']) await reaches(page, name, 'incomplete')
      const all = page.getByRole('group', { name: 'Set for all 3 uploads' })
      await all.getByRole('button', { name: 'Add notes' }).click()
      await all.getByLabel('Notes').fill('Fixes the **start**.')
      await all.getByRole('combobox', { name: 'Stream' }).click()
      await page.getByRole('option', { name: 'stable' }).click()
      await all.getByLabel('Version').fill('5.0.0')
      assert.equal(await row(page, 'three.exe').getByLabel('Version').inputValue(), '5.0.0')
      await row(page, 'two.exe').getByLabel('Version').fill('5.0.1')
      for (const name of ['one.exe', 'three.exe']) await reaches(page, name, 'done')
      assert.deepEqual(await findBarriers(page), [])
      assert.deepEqual(await findOverflow(page), [])
      await page.getByRole('heading', { name: 'Upload', exact: true }).click()
      await reaches(page, 'two.exe', 'done')
      const builds = (await buildsOf(id)).map(({ version, notes, stream }) =>
        [version, stream.name, notes].join(' '),
      )
      assert.deepEqual(
        builds.toSorted(),
        ['5.0.0', '5.0.0', '5.0.1'].map((version) => `${version} stable Fixes the **start**.`),
      )
      assert.deepEqual(takeProblems(), [])
      await page.context().close()
    })

  test('saves a corrected version and platform while the file is being sent', async () => {
    const { id } = await createApplication(['windows', 'generic'])
    const { page } = await openUploads(id)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**', async (route) => {
      if (route.request().method() === 'PUT') await released
      await route.continue()
    })
    const sending = page.waitForRequest((request) => request.method() === 'PUT')
    await choose(page, [fileOf('big-1.0.0.zip', randomBytes(500_000))])
    const big = row(page, 'big-1.0.0.zip')
    const pending = async () => (await client.listUploads({ application_id: id })).data[0]
    await sending
    await big.getByLabel('Version').fill('1.0.1')
    await big.getByText('Unsaved changes').waitFor()
    await big.getByLabel('Build number').focus()
    await page.getByRole('heading', { name: 'Upload', exact: true }).click()
    await big.getByText('Changes saved').waitFor()
    assert.equal((await pending())?.version, '1.0.1')
    await big.getByRole('combobox', { name: 'Platform' }).click()
    await page.getByRole('option', { name: 'Windows' }).click()
    await page.getByRole('heading', { name: 'Upload', exact: true }).click()
    await until('the platform is saved', async () => (await pending())?.platform === 'windows')
    release()
    await reaches(page, 'big-1.0.0.zip', 'done')
    const [build] = await buildsOf(id)
    assert.deepEqual([build?.version, build?.platform.identifier], ['1.0.1', 'windows'])
    await page.context().close()
  })

  test('recognizes files of several applications, and asks for the others', async () => {
    const suffix = randomBytes(4).toString('hex')
    const one = await createKnownApplication(`com.example.one.${suffix}`)
    const two = await createKnownApplication(`com.example.two.${suffix}`)
    const { page } = await openUploads(one.id)
    await choose(page, [
      fileOf('alpha.ipa', ipaOf(`com.example.one.${suffix}`, '1.0.0')),
      fileOf('beta.ipa', ipaOf(`com.example.two.${suffix}`, '2.0.0')),
      fileOf('manual-3.0.0.zip', randomBytes(500)),
    ])
    for (const name of ['alpha.ipa', 'beta.ipa']) await reaches(page, name, 'done')
    await reaches(page, 'manual-3.0.0.zip', 'needs-application')
    const select = row(page, 'manual-3.0.0.zip').getByRole('combobox', { name: 'Application' })
    await select.fill(two.name)
    await page.getByRole('option', { name: two.name }).click()
    await reaches(page, 'manual-3.0.0.zip', 'done')
    const versions = async (id: string) => (await buildsOf(id)).map(({ version }) => version).toSorted()
    assert.deepEqual(await versions(one.id), ['0.1.0', '1.0.0'])
    assert.deepEqual(await versions(two.id), ['0.1.0', '2.0.0', '3.0.0'])
    await page.context().close()
  })

  test('shows no application field to a member who may upload to one', async () => {
    const { id } = await createApplication(['windows'])
    const { db } = console.service.deps
    const workspace = await db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
    const member = { workspaceId: workspace.id, applicationId: id }
    const userId = await insertMember(console.service, member, { applicationRole: 'developer' })
    const cookie = await console.service.signIn(userId, workspace.id)
    const { page, takeProblems } = await openUploads(id, { cookie, width: 390 })
    await choose(page, [fileOf('tool.exe', randomBytes(500))])
    await reaches(page, 'tool.exe', 'incomplete')
    assert.equal(await row(page, 'tool.exe').getByLabel('Application').count(), 0)
    assert.deepEqual(await findOverflow(page), [])
    await row(page, 'tool.exe').getByLabel('Version').fill('1.0.0')
    await page.getByRole('heading', { name: 'Upload', exact: true }).click()
    await reaches(page, 'tool.exe', 'done')
    assert.deepEqual(takeProblems(), [])
    await page.context().close()
  })
})
