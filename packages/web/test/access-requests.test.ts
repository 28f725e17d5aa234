import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { insertMember } from '../../server/test/people.ts'
import { until } from '../../server/test/until.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { findBarriers, findOverflow, type Visitor } from './visit.ts'

describe('access requests in the console', { skip: withoutChromium }, () => {
  let console: Console
  before(async () => {
    console = await sharedConsole()
  })

  /** Focuses a control, as Tab does, and presses the key. */
  const press = async (control: ReturnType<Visitor['page']['getByRole']>, key = 'Enter') => {
    await control.focus()
    await control.press(key)
  }

  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const)
    test(`are made on the page of an application and decided in its settings by keyboard at ${width} px`, async () => {
      const { service, url } = console
      const tenant = await service.tenant()
      const signIn = async (name: string, fields: Parameters<typeof insertMember>[2] = {}) => {
        const id = await insertMember(service, tenant, { name, ...fields })
        const cookie = await service.signIn(id, tenant.workspaceId)
        return { id, cookie, visitor: await console.newPage({ width, colorScheme, cookie }) }
      }
      const tess = await signIn('Tess')
      const admin = await signIn('Olga', { applicationRole: 'admin' })
      const application = `${url}/applications/${tenant.applicationId}`
      const { page } = tess.visitor
      const check = async ({ page: shown, takeProblems }: Visitor) => {
        assert.deepEqual(await findBarriers(shown), [])
        assert.deepEqual(await findOverflow(shown), [])
        return takeProblems()
      }

      // The page is the same for an application that does not exist.
      const texts: string[] = []
      for (const address of [
        `${url}/applications/a-missing/releases`,
        `${application}/builds/any`,
        application,
      ]) {
        await tess.visitor.open(address)
        await page.getByRole('button', { name: 'Request access' }).waitFor()
        texts.push(await page.locator('main').innerText())
      }
      assert.equal(new Set(texts).size, 1, texts.join('\n'))
      await check(tess.visitor)

      await press(page.getByRole('button', { name: 'Request access' }))
      await page.getByRole('dialog', { name: 'Request access' }).waitFor()
      await page.getByRole('textbox', { name: 'Message' }).waitFor()
      await page.keyboard.type('I test the Android builds.')
      await check(tess.visitor)
      await page.keyboard.press('Tab')
      await press(page.getByRole('button', { name: 'Send request' }))
      await page.getByRole('button', { name: 'Access requested' }).waitFor()
      await page.getByText('You will be notified').waitFor()
      await check(tess.visitor)

      const path = `/applications/${tenant.applicationId}/access-requests`
      await until('the request is made', async () => {
        const { body } = await service.call('GET', path, { key: tenant.workspaceKey })
        return body.data.length === 1
      })
      const settings = admin.visitor.page
      await admin.visitor.open(`${url}/inbox`)
      await press(settings.getByRole('link', { name: /^Tess requests access to/ }))
      await settings.waitForURL(/\/settings\?section=members$/)
      await admin.visitor.open(`${url}/`)
      await press(settings.getByRole('link', { name: '1 person requests access' }))
      const requests = settings.getByRole('list', { name: 'Access requests' })
      await requests.getByText('I test the Android builds.').waitFor()
      await admin.visitor.settle()
      await check(admin.visitor)

      const approve = requests.getByRole('button', { name: 'Approve the request from Tess' })
      await press(requests.getByRole('button', { name: 'Decline the request from Tess' }))
      await press(settings.getByRole('button', { name: /^Undo/ }))
      await approve.waitFor()
      await requests.getByRole('combobox', { name: 'Role of Tess' }).selectOption('qa')
      await press(approve)
      const role = settings
        .getByRole('list', { name: 'Members' })
        .getByRole('combobox', { name: 'Role of Tess' })
      await role.waitFor()
      assert.equal(await role.inputValue(), 'qa')
      await requests.waitFor({ state: 'detached' })
      await check(admin.visitor)
      assert.deepEqual(admin.visitor.takeProblems(), [])

      await tess.visitor.open(`${url}/inbox`)
      await page.getByText(/^Olga gave you access to/).waitFor()
      await tess.visitor.open(application)
      await page.getByRole('heading', { level: 1, name: 'Builds' }).waitFor()
    })
})
