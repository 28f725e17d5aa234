import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { insertNotificationOf } from '../../server/test/notifications.ts'
import { insertMember } from '../../server/test/people.ts'
import { startReceiver } from '../../server/test/webhook-receivers.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { findBarriers } from './visit.ts'

describe('notifications', { skip: withoutChromium }, () => {
  let console: Console
  let applicationId: string
  let buildId: string
  let workspaceId: string
  before(async () => {
    console = await sharedConsole()
    const { ids } = await console.fill()
    applicationId = ids['applicationId']!
    buildId = ids['buildId']!
    const { db } = console.service.deps
    const workspace = db.selectFrom('applications').where('id', '=', applicationId)
    workspaceId = (await workspace.select('workspace_id').executeTakeFirstOrThrow()).workspace_id
  })

  test('adds a rule, shows a new notification at once, and marks it as read when it is opened', async () => {
    const owner = { workspaceId, applicationId }
    const userId = await insertMember(console.service, owner, { applicationRole: 'readonly' })
    const cookie = await console.service.signIn(userId, workspaceId)
    const visitor = await console.newPage({ cookie })
    const { page } = visitor
    await visitor.open(`${console.url}/account?section=notifications`)
    await page.getByRole('button', { name: 'Add a rule' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a rule' })
    await dialog.getByLabel('Stream').fill('stable')
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('button', { name: 'Add the rule' }).click()
    await page.getByText('All applications · Stream stable').waitFor()
    assert.deepEqual(await findBarriers(page), [])

    await page.keyboard.press('i')
    await page.getByText('You have read everything').waitFor()
    await insertNotificationOf(
      console.service,
      { ...owner, workspaceKey: '', applicationKey: '' },
      { userId, buildId },
    )
    const main = page.getByRole('navigation', { name: 'Main' })
    await main.getByLabel('1 unread').waitFor()
    const item = page.getByRole('list', { name: 'Notifications' }).getByRole('link')
    await item.waitFor()
    for (const width of [390, 1024, 1440])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await findBarriers(page), [], `${width} ${colorScheme}`)
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.ok(Number(overflow) <= 0, `${width}: the page is ${String(overflow)} px too wide`)
      }
    await item.click()
    await page.waitForURL(new RegExp(`/builds/${buildId}`))
    await main.getByLabel('1 unread').waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByText('You have read everything').waitFor()
    await page.getByText('All', { exact: true }).click()
    await page.getByRole('button', { name: 'Mark as unread' }).click()
    await main.getByLabel('1 unread').waitFor()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await main.getByLabel('1 unread').waitFor({ state: 'detached' })
  })

  test('saves neither a platform that an application lacks nor half of the quiet hours', async () => {
    const tenant = await console.service.tenant({ platforms: ['ios', 'linux'] })
    const userId = await insertMember(console.service, tenant, { applicationRole: 'readonly' })
    const cookie = await console.service.signIn(userId, tenant.workspaceId)
    const visitor = await console.newPage({ cookie })
    const { page } = visitor
    await visitor.open(`${console.url}/account?section=notifications`)
    await page.getByRole('button', { name: 'Add a rule' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a rule' })
    const choose = async (label: string, option: string) => {
      await dialog.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await choose('Platform', 'Android')
    await choose('Application', `App ${tenant.workspaceId}`)
    await dialog.getByRole('button', { name: 'Add the rule' }).click()
    const rules = page.getByRole('list', { name: 'Notification rules' })
    await rules.getByText(`App ${tenant.workspaceId}`, { exact: true }).waitFor()
    assert.equal(await rules.getByText(/android/i).count(), 0)

    const save = page.getByRole('region', { name: 'Emails' }).getByRole('button', { name: 'Save changes' })
    await page.getByLabel('Quiet from').fill('22:00')
    await save.click()
    await page.getByText('Enter both times, or leave both empty.').waitFor()
    await page.getByLabel('Quiet until').fill('22:00')
    await save.click()
    await page.getByText('Enter two different times.').first().waitFor()
    await page.getByLabel('Quiet until').fill('07:00')
    await save.click()
    await page.getByText('Notification settings saved.').waitFor()
    assert.deepEqual(visitor.takeProblems(), [])
  })

  test('sends a test message, saves the chat and turns it on for a rule', async (t) => {
    const tenant = await console.service.tenant()
    const userId = await insertMember(console.service, tenant, { applicationRole: 'readonly' })
    const cookie = await console.service.signIn(userId, tenant.workspaceId)
    let status = 404
    const receiver = await startReceiver(t, (response) => response.writeHead(status).end('no_service'))
    const visitor = await console.newPage({ cookie })
    const { page } = visitor
    await visitor.open(`${console.url}/account?section=notifications`)
    const rules = page.getByRole('list', { name: 'Notification rules' })
    await rules.waitFor()
    assert.equal(await rules.getByLabel('Chat: Mentions of you').count(), 0)
    const chat = page.getByRole('region', { name: 'Chat' })
    const tested = chat.getByRole('button', { name: 'Send a test message' })
    await chat.getByLabel('Webhook URL').fill('https://example.com/hook')
    await tested.click()
    await chat.getByText('is not an incoming webhook of Slack, Discord or Microsoft Teams').waitFor()
    await chat.getByLabel('Webhook URL').fill(receiver.url)
    await tested.click()
    await chat.getByText('The chat responded with 404: no_service').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    status = 200
    await tested.click()
    await page.getByText('Test message sent.').waitFor()
    await chat.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Notification settings saved.').waitFor()
    await rules.getByLabel('Chat: Mentions of you').click()
    const isOn = rules.getByRole('switch', { name: 'Chat: Mentions of you', checked: true })
    await isOn.waitFor()
    await page.reload()
    await isOn.waitFor()
    assert.equal(await chat.getByLabel('Webhook URL').inputValue(), receiver.url)
  })
})
