import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service } from '../../../test/harness.ts'
import { webhookCalls } from '../../../test/webhook-calls.ts'

let service: Service
let webhooks: ReturnType<typeof webhookCalls>

before(async () => {
  service = await startService()
  webhooks = webhookCalls(service, await service.tenant())
})
after(() => service.close())

test('chooses the format of a chat service by its URL unless another format is set', async () => {
  const { create, send } = webhooks
  const slack = 'https://hooks.slack.com/services/T0/B0/secret'
  const discord = 'https://discord.com/api/webhooks/1/secret?thread_id=2'
  const teams =
    'https://default1.a2.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/3/triggers/manual/paths/invoke?sig=4'
  const formats: [url: string, format: string][] = [
    [slack, 'slack'],
    ['https://hooks.slack.com/triggers/T0/1/secret', 'json'],
    [discord, 'discord'],
    ['https://ptb.discord.com/api/v10/webhooks/1/secret', 'discord'],
    ['https://discord.com/api/webhooks/1/secret/slack', 'json'],
    [teams, 'teams'],
    ['https://prod-1.westus.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?sig=2', 'teams'],
    ['https://hooks.slack.com.example.org/services/T0/B0/secret', 'json'],
    ['https://example.org/https://hooks.slack.com/services/T0', 'json'],
  ]
  for (const [url, format] of formats) {
    const id = await create({ url })
    assert.equal((await send('GET', `/${id}`)).body.data.format, format, url)
    await send('DELETE', `/${id}`)
  }
  const id = await create({ url: slack, format: 'json' })
  const update = async (fields: object) => (await send('PATCH', `/${id}`, fields)).body.data.format
  assert.equal(await update({ url: discord }), 'json')
  assert.equal(await update({ format: 'discord' }), 'discord')
  assert.equal(await update({ url: teams }), 'teams')
  assert.equal(await update({ url: slack, format: 'form' }), 'form')
  await send('DELETE', `/${id}`)
})
