import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { copyBuild } from '../../server/test/copy-builds.ts'
import { uploadedBuild, versionOf } from '../../server/test/uploading.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'

describe('the notes of a release', { skip: withoutChromium }, () => {
  let console: Console
  before(async () => {
    console = await sharedConsole()
  })

  test('are drafted from its builds after any number of newer builds', async () => {
    const { service, url } = console
    const { client } = await console.fill()
    const tenant = await console.createTenant()
    const { applicationId: application_id } = tenant
    const release = async (major: number, isDraft: boolean) => {
      const { build } = await uploadedBuild(service, tenant, {
        ...versionOf(major),
        notes: `Changes of ${major}.`,
      })
      const body = { ...versionOf(major), title: `Version ${major}`, build_ids: [build.id], draft: isDraft }
      const { data } = await client.createRelease({ application_id, body })
      return { releaseId: data.id, buildId: build.id as string }
    }
    await release(1, false)
    const { releaseId, buildId } = await release(2, true)
    await copyBuild(service, buildId, 110)
    const visitor = await console.newPage()
    const { page } = visitor
    await visitor.open(`${url}/applications/${application_id}/releases/${releaseId}`)
    await page.getByRole('region', { name: 'Notes' }).getByRole('button', { name: 'Write notes' }).click()
    await page.getByRole('button', { name: 'Draft from builds' }).click()
    await page.getByText(/^Added the notes of/).waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Notes' }).inputValue(), '- Changes of 2.')
    assert.deepEqual(visitor.takeProblems(), [])
  })
})
