import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { activeContent, activeEndings } from '../../server/test/active-files.ts'
import { groupCalls, groupLink } from '../../server/test/distribution-groups.ts'
import { uploadedBuild } from '../../server/test/uploading.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'

describe('files that a browser could run', { skip: withoutChromium }, () => {
  let console: Console
  const filenames = activeEndings.map((ending) => `hostile.${ending}`)
  const links: Record<string, string> = {}

  before(async () => {
    console = await sharedConsole()
    const { service } = console
    const tenant = await service.tenant()
    const builds: string[] = []
    for (const filename of filenames) {
      const fields = { platform: 'generic', primary_file: { filename } }
      builds.push((await uploadedBuild(service, tenant, fields, activeContent)).build.id as string)
    }
    const { group, release, share } = groupCalls(service, tenant)
    const releaseId = await release(builds)
    await share(await group(['files@example.com']), releaseId)
    const path = `/applications/${tenant.applicationId}/releases/${releaseId}/share-links`
    const key = tenant.workspaceKey
    links['share link'] = (await service.call('POST', path, { key, body: {} })).body.data.url
    links['group link'] = await groupLink(service, tenant, 'files@example.com')
  })

  for (const kind of ['share link', 'group link'])
    test(`are saved and never opened by a browser that follows a ${kind}`, async () => {
      const { page, open, takeProblems } = await console.newPage({ cookie: null })
      await open(links[kind] ?? '')
      const address = page.url()
      const opened: string[] = []
      page.on('dialog', (dialog) => {
        opened.push(dialog.message())
        void dialog.dismiss()
      })
      page.context().on('page', (other) => void opened.push(other.url()))
      for (const filename of filenames) {
        const download = page.waitForEvent('download')
        await page.getByRole('button', { name: `Download ${filename}`, exact: true }).click()
        const file = await download
        assert.equal(file.suggestedFilename(), filename)
        assert.equal(await file.failure(), null)
        assert.equal(page.url(), address)
      }
      assert.deepEqual([...opened, ...takeProblems()], [])
      await page.context().close()
    })
})
