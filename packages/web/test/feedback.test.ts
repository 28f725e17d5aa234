import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { insertFeedbackOf } from '../../server/test/feedback.ts'
import { insertMember } from '../../server/test/people.ts'
import { uploadedBuild } from '../../server/test/uploading.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'

describe('the feedback of testers', { skip: withoutChromium }, () => {
  let console: Console
  before(async () => {
    console = await sharedConsole()
  })

  test('keeps the search field while the list is searched', async () => {
    const { service, url } = console
    const tenant = await service.tenant()
    const { build } = await uploadedBuild(service, tenant)
    await insertFeedbackOf(service, tenant, build.id)
    const reader = await insertMember(service, tenant, { applicationRole: 'readonly' })
    const visitor = await console.newPage({ cookie: await service.signIn(reader, tenant.workspaceId) })
    const { page } = visitor
    await visitor.open(`${url}/applications/${tenant.applicationId}/feedback`)
    const field = page.getByRole('textbox', { name: 'Search feedback' })
    await field.evaluate((input) => input.setAttribute('data-first', ''))
    await field.focus()
    await page.keyboard.type('nothing')
    await page.getByText('No feedback matches').waitFor()
    await page.keyboard.type(' at all')
    await page.waitForURL(/q=nothing(\+|%20)at(\+|%20)all/)
    assert.equal(await page.locator('[data-first]:focus').inputValue(), 'nothing at all')
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByText('It closes when I save.').waitFor()
    assert.equal(await page.locator('[data-first]').count(), 1)
    assert.deepEqual(visitor.takeProblems(), [])
  })
})
