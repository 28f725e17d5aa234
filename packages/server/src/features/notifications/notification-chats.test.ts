import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { startService, type Service } from '../../../test/harness.ts'
import { inboxes } from '../../../test/inboxes.ts'
import { versionOf } from '../../../test/uploading.ts'
import { startReceiver } from '../../../test/webhook-receivers.ts'
import { allowedFormat } from './notification-chat.ts'
import { sendNotificationChats } from './send-notification-chats.job.ts'

let service: Service
before(async () => {
  service = await startService({
    sendsWebhooks: true,
    environment: { QUAYSIDE_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8', QUAYSIDE_CHAT_HOSTS: '127.0.0.1' },
  })
})
after(() => service.close())
const { send, succeed, addPerson, settled, inboxOf, addRule, upload } = inboxes(() => service)

describe('chat messages about notifications', () => {
  const sendChats = () => sendNotificationChats.handle(service.deps, {}, new AbortController().signal)
  const setUp = async (chat_url: string, rule: object = { sends_chat: true }) => {
    const tenant = await service.tenant()
    const person = await addPerson(tenant, { workspaceRole: 'owner' })
    await succeed(person.session, 'PATCH', '/notification-settings', { chat_url })
    await addRule(person, { kind: 'build', ...rule })
    const settings = async (change?: object) =>
      (await succeed(person.session, change ? 'PATCH' : 'GET', '/notification-settings', change)).data
    return { tenant, person, settings }
  }
  const waiting = async () =>
    (await service.deps.db.selectFrom('notification_chats').selectAll().execute()).length
  const retryNow = () =>
    service.deps.db
      .updateTable('notification_chats')
      .set({ next_attempt_at: sql<string>`now()` })
      .execute()

  test('contain what is unread, once', async (t) => {
    const receiver = await startReceiver(t)
    const { tenant, person } = await setUp(receiver.url)
    for (const minor of [1, 2, 3]) await upload(tenant, versionOf(1, minor))
    const [newest] = await inboxOf(person)
    await succeed(person.session, 'PATCH', `/notifications/${newest.id}`, { read: true })
    await Promise.all([sendChats(), sendChats()])
    await sendChats()
    assert.equal(receiver.received.length, 1)
    const message = JSON.parse(receiver.received[0]?.body ?? '')
    assert.match(message.text, /\|2 notifications>$/)
    const text = JSON.stringify(message.blocks)
    assert.match(text, /1\.1\.0 for Linux .*1\.2\.0 for Linux /)
    assert.doesNotMatch(text, /1\.3\.0/)
    assert.equal(await waiting(), 0)
  })

  test('link to a single notification in the format of the chat', async (t) => {
    const receiver = await startReceiver(t, (response) => response.writeHead(204).end())
    const { tenant, settings } = await setUp(receiver.url)
    assert.equal((await settings()).chat_format, 'slack')
    assert.equal((await settings({ chat_format: 'discord' })).chat_format, 'discord')
    const build = await upload(tenant)
    await settled()
    await sendChats()
    const { embeds } = JSON.parse(receiver.received[0]?.body ?? '')
    assert.match(embeds[0].title, /for Linux/)
    assert.match(embeds[0].url, new RegExp(`/builds/${build.id}$`))
  })

  test('are only about rules that send them, and stop without a chat', async (t) => {
    const receiver = await startReceiver(t)
    const { tenant, settings } = await setUp(receiver.url, {})
    await upload(tenant)
    await settled()
    assert.equal(await waiting(), 0)
    const chatty = await setUp(receiver.url)
    await upload(chatty.tenant)
    await settled()
    assert.equal(await waiting(), 1)
    assert.deepEqual((await chatty.settings({ chat_url: null })).chat_format, null)
    assert.equal(await waiting(), 0)
    await sendChats()
    assert.equal(receiver.received.length, 0)
    assert.equal((await settings()).chat_error, null)
  })

  test('wait until quiet hours have ended', async (t) => {
    const receiver = await startReceiver(t)
    const { tenant, settings } = await setUp(receiver.url)
    const inHours = (hours: number) =>
      `${String((new Date().getUTCHours() + 24 + hours) % 24).padStart(2, '0')}:00`
    await settings({ quiet_hours: { from: inHours(-2), to: inHours(2) } })
    await upload(tenant)
    await settled()
    await sendChats()
    assert.equal(receiver.received.length, 0)
    await settings({ quiet_hours: null })
    await sendChats()
    assert.equal(receiver.received.length, 1)
  })

  test('are sent again after a failure, which the settings show until one is delivered', async (t) => {
    let status = 500
    const receiver = await startReceiver(t, (response) => response.writeHead(status).end('out of order'))
    const { tenant, settings } = await setUp(receiver.url)
    await upload(tenant)
    await settled()
    await sendChats()
    assert.equal((await settings()).chat_error, 'The chat responded with 500: out of order')
    await sendChats()
    assert.equal(receiver.received.length, 1, 'the next attempt is later')
    status = 200
    await retryNow()
    await sendChats()
    assert.equal(receiver.received.length, 2)
    assert.equal((await settings()).chat_error, null)
    assert.equal(await waiting(), 0)
  })

  test('are given up after five attempts, and at once if the chat has deleted the webhook', async (t) => {
    let answer: [number, string] = [503, '']
    const receiver = await startReceiver(t, (response) => response.writeHead(answer[0]).end(answer[1]))
    const { tenant, settings } = await setUp(receiver.url)
    await upload(tenant)
    await settled()
    for (let attempt = 1; attempt <= 7; attempt++) {
      await sendChats()
      await retryNow()
    }
    assert.equal(receiver.received.length, 5)
    assert.equal(await waiting(), 0)
    answer = [404, 'no_service']
    await upload(tenant, versionOf(2))
    await settled()
    await sendChats()
    assert.equal(await waiting(), 0)
    assert.equal((await settings()).chat_error, 'The chat responded with 404: no_service')
    assert.equal((await settings({ chat_url: `${receiver.url}2` })).chat_error, null)
  })

  test('can be tested before the chat is saved', async (t) => {
    const receiver = await startReceiver(t, (response) => response.writeHead(status).end(''))
    let status = 200
    const { person } = await setUp(receiver.url)
    const tryChat = (chat_url: string) =>
      send(person.session, 'POST', '/notification-settings/test', { chat_url })
    assert.equal((await tryChat(receiver.url)).status, 200)
    assert.match(receiver.received[0]?.body ?? '', /Your notifications will appear here/)
    status = 403
    const refused = await tryChat(receiver.url)
    assert.equal(refused.status, 422)
    assert.deepEqual(refused.body.errors, { chat_url: ['The chat responded with 403.'] })
    for (const url of [
      'https://example.com/hook',
      'ftp://127.0.0.1/x',
      'x',
      'https://hooks.slack.com.evil.example/services/a',
    ])
      for (const [method, to] of [
        ['POST', '/notification-settings/test'],
        ['PATCH', '/notification-settings'],
      ] as const) {
        const response = await send(person.session, method, to, { chat_url: url })
        assert.equal(response.status, 422, url)
        assert.match(response.body.errors.chat_url[0], /Slack, Discord or Microsoft Teams/)
      }
  })

  test('have the format of the service that the URL belongs to', () => {
    const formatOf = (url: string, given?: 'teams') =>
      allowedFormat({ chatHosts: ['chat.example.com', 'team.example.com:8065'] }, url, given)
    assert.equal(formatOf('https://hooks.slack.com/services/T/B/x', 'teams'), 'slack')
    assert.equal(formatOf('https://discord.com/api/webhooks/1/x'), 'discord')
    assert.equal(formatOf('https://chat.example.com:8065/hooks/x'), 'slack')
    assert.equal(formatOf('https://chat.example.com/hooks/x', 'teams'), 'teams')
    assert.equal(formatOf('https://team.example.com:8065/hooks/x'), 'slack')
    assert.equal(formatOf('https://team.example.com/hooks/x'), undefined)
    assert.equal(formatOf('file://chat.example.com/x'), undefined)
  })
})
