import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { insertMember } from '../../server/test/people.ts'
import { startReceiver } from '../../server/test/webhook-receivers.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'

describe('webhooks in the console', { skip: withoutChromium }, () => {
  let console: Console
  before(async () => {
    console = await sharedConsole()
  })

  test('creates a signed webhook, tests it, checks a signature and redelivers a request', async (t) => {
    const { service } = console
    let status = 200
    const { url, received } = await startReceiver(t, (response) =>
      response.writeHead(status).end(`{"status": ${status}}`),
    )
    const tenant = await service.tenant()
    const userId = await insertMember(service, tenant, { workspaceRole: 'owner' })
    const visitor = await console.newPage({ cookie: await service.signIn(userId, tenant.workspaceId) })
    const { page } = visitor
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    await visitor.open(`${console.url}/applications/${tenant.applicationId}/webhooks`)

    await page.getByRole('button', { name: 'New webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill('https://hooks.slack.com/services/T0/B0/x')
    await dialog.getByLabel('Message in Slack').getByText('1.0.0').waitFor()
    await dialog.getByLabel('URL').fill(url)
    await dialog.getByLabel('Description').fill('Device lab')
    await dialog.getByLabel('Use my own secret').click()
    await dialog.getByPlaceholder('At least 8 characters').fill('Schlüssel für Webhooks')
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    await dialog.getByText(/^Must contain only ASCII letters/).waitFor()
    assert.match(visitor.takeProblems().join(), /status of 422/)
    await dialog.getByLabel('Generate a secret and sign each request').click()
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    const secret = await page.getByLabel('secret', { exact: true }).innerText()
    assert.match(secret, /^whsec_/)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('heading', { name: 'Device lab', level: 1 }).waitFor()

    await page.getByRole('button', { name: 'Send a test' }).click()
    const detail = page.getByLabel('Request', { exact: true })
    await detail.getByText('HTTP 200').waitFor()
    const { headers, body } = received[0]!
    new Webhook(secret).verify(body, headers as Record<string, string>)

    await detail.getByRole('button', { name: 'Check signature' }).click()
    const signature = String(headers['webhook-signature'])
    const pasted = `${await dialog.getByLabel('Headers').inputValue()}${signature}`
    await dialog.getByLabel('Headers').fill(pasted)
    await dialog.getByLabel('Secret').fill(secret)
    await dialog.getByText('The signature is valid.').waitFor()
    await dialog.getByLabel('Secret').fill(`${secret}QUJD`)
    await dialog.getByText('The signature does not match.').waitFor()
    await page.keyboard.press('Escape')

    await detail.getByRole('button', { name: 'Copy as curl' }).click()
    await promisify(execFile)('sh', ['-c', `${await clipboard()} -s`])
    assert.deepEqual([received[1]?.body, received[1]?.headers['webhook-id']], [body, headers['webhook-id']])

    status = 500
    await detail.getByRole('button', { name: 'Redeliver' }).click()
    await detail.getByText(/Next attempt in \d/).waitFor()
    await page.getByText('Failing for less than a minute').waitFor()
    await detail.getByText('HTTP 500').waitFor()
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()
  })
})
