import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createClient } from '@quayside/sdk'
import { insertMember } from '../../server/test/people.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { journeys, personWith, prepareJourneys } from './daily-journeys.ts'
import { keyboard, mouse } from './hands.ts'
import { findBarriers, type Visitor } from './visit.ts'

/** The controls that a person uses in each journey: docs/decisions/0105-daily-journeys.md compares them with those of others. */
const expectedSteps: Readonly<Record<string, number>> = {
  'Download the newest stable build for Android': 5,
  'Send somebody a link to a build': 6,
  'Release a version to testers': 5,
  'Promote a nightly version to stable': 4,
  'Find the builds of a commit': 3,
  'Compare a version with the one before it': 3,
  'Invite two people to an application': 7,
  'Keep a filtered list in the sidebar': 6,
  'Close feedback that was dealt with': 3,
  'Create an API key for CI': 6,
}

describe('daily journeys', { skip: withoutChromium }, () => {
  let console: Console
  before(async () => {
    console = await sharedConsole()
  })

  for (const [name, hand] of Object.entries({ mouse, keyboard }))
    describe(`with the ${name} alone`, () => {
      let visitor: Visitor
      before(async () => {
        const { service } = console
        const tenant = await service.tenant()
        await prepareJourneys(createClient({ baseUrl: console.url, apiKey: tenant.workspaceKey }))
        const userId = await insertMember(service, tenant, { workspaceRole: 'owner' })
        visitor = await console.newPage({ cookie: await service.signIn(userId, tenant.workspaceId) })
        // The browsers of tests do not ask whether a page may copy. Pages without HTTPS have no clipboard at all.
        if (name === 'keyboard')
          await visitor.page.addInitScript(() =>
            Object.defineProperty(navigator, 'clipboard', { value: undefined }),
          )
      })
      after(() => visitor.page.context().close())

      for (const journey of journeys)
        test(journey.name, async () => {
          await visitor.open(console.url)
          const person = personWith(visitor.page, hand(visitor.page))
          await journey.walk(person)
          await visitor.settle()
          assert.equal(person.steps(), expectedSteps[journey.name])
          assert.deepEqual(await findBarriers(visitor.page), [])
          assert.deepEqual(visitor.takeProblems(), [])
        })
    })

  test('copy what they say they copy, also on pages without HTTPS', async () => {
    for (const hasClipboard of [true, false]) {
      const visitor = await console.newPage()
      const { page } = visitor
      if (hasClipboard) await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      else await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
      await visitor.open(`${console.url}/settings`)
      const button = page.getByRole('button', { name: /^Copy workspace ID/ })
      const id = ((await button.textContent()) ?? '').replace('Copy workspace ID', '').trim()
      await button.click()
      await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor()
      const field = page.getByRole('textbox', { name: 'Subdomain' })
      await field.fill('')
      await field.press('Control+v')
      assert.equal(await field.inputValue(), id)
      await page.context().close()
    }
  })
})
