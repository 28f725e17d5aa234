import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { groupCalls, groupLink } from '../../../test/distribution-groups.ts'
import { sendForm, type SentForm } from '../../../test/feedback.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { createBrowser, textOf } from '../../../test/page-browser.ts'
import { insertMember } from '../../../test/people.ts'
import { shareCalls } from '../../../test/share-links.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof shareCalls>
let groups: ReturnType<typeof groupCalls>

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  calls = shareCalls(service, tenant)
  groups = groupCalls(service, tenant)
})
after(() => service.close())

/** Sends a form as the first of a client. */
function send(url: string, form: SentForm) {
  service.deps.publicFeedback.byNetwork.forget('127.0.0.1')
  return sendForm(url, form)
}

const listed = async (query = '') => {
  const path = `/applications/${tenant.applicationId}/feedback?sort=desc&per_page=100${query}`
  const { status, body, text } = await service.call('GET', path, { key: tenant.workspaceKey })
  assert.equal(status, 200, text)
  return body.data
}
const change = async (path: string, body: object) => {
  const response = await service.call('PATCH', path, { key: tenant.workspaceKey, body })
  assert.equal(response.status, 200, response.text)
}
const message = (text: string, more: SentForm = {}): SentForm => ({
  ...more,
  fields: { text, ...more.fields },
})

test('is turned off by default, and shown and accepted once it is turned on', async () => {
  const { url, id } = await calls.createLink()
  assert.doesNotMatch((await createBrowser().open(url)).text, /Send feedback/)
  assert.equal((await createBrowser().open(`${url}/feedback`)).status, 404)
  assert.equal((await send(url, message('too early'))).status, 404)
  await change(`/share-links/${id}`, { feedback_enabled: true })
  assert.match((await createBrowser().open(url)).text, /href="[^"]+\/feedback"/)
  const form = await createBrowser().open(`${url}/feedback`)
  assert.match(textOf(form), /Your message/)
  assert.match(String(form.headers['accept-ch']), /Sec-CH-UA-Model/)
  assert.ok(Buffer.byteLength(form.text) < 50_000)
  const german = await createBrowser().open(`${url}/feedback`, { 'accept-language': 'de' })
  assert.match(textOf(german), /Ihre Nachricht/)
})

test('stores what a visitor sends with the build, device and source', async () => {
  const { url, id, build } = await calls.createLink({ feedback_enabled: true })
  const sent = await send(url, {
    fields: { text: ' It closes\r\nwhen I save. ', rating: '3', name: 'Robin', email: 'robin@example.com' },
    headers: { 'sec-ch-ua-model': '"Pixel 8"', 'sec-ch-ua-platform-version': '"16.0.0"' },
  })
  assert.equal(sent.status, 303, sent.text)
  const thanks = await createBrowser().open(new URL(sent.location!, service.url).href)
  assert.match(textOf(thanks), /Thank you/)
  const [entry] = await listed()
  const { id: feedbackId, created_at, updated_at, user_agent, stream, ...rest } = entry
  assert.match(`${feedbackId} ${created_at} ${updated_at} ${user_agent} ${stream.name}`, /^\w{10} .* Android/)
  assert.deepEqual(rest, {
    application_id: tenant.applicationId,
    build: {
      id: build.id,
      version: build.version,
      build_number: build.build_number,
      platform: build.platform,
    },
    text: 'It closes\nwhen I save.',
    rating: 3,
    name: 'Robin',
    email: 'robin@example.com',
    device: 'Pixel 8',
    os: 'Android 16',
    channel: 'share-link',
    share_link_id: id,
    distribution_group_id: null,
    portal_id: null,
    screenshots: [],
    state: 'open',
    closed_at: null,
    closed_by: null,
  })
})

test('keeps what was typed if a field is invalid', async () => {
  const { url } = await calls.createLink({ feedback_enabled: true })
  const rejected = await send(url, {
    fields: { text: '', rating: '4', name: 'Robin "R" <b>', email: 'nobody' },
  })
  assert.equal(rejected.status, 422)
  assert.match(rejected.text, /value="Robin &#34;R&#34; &#60;b&#62;"/)
  assert.match(rejected.text, /value="4"\s+checked/)
  assert.match(rejected.text, /id="text-error">Write a message\./)
  assert.match(rejected.text, /aria-invalid="true"/)
  assert.match(rejected.text, /id="email-error"/)
  for (const [fields, field] of [
    [{ text: 'x'.repeat(4001) }, 'text'],
    [{ text: 'a', rating: '6' }, 'rating'],
    [{ text: 'a', email: `${'x'.repeat(250)}@example.com` }, 'email'],
  ] as const) {
    const response = await send(url, { fields })
    assert.equal(response.status, 422)
    assert.ok(response.text.includes(`id="${field}-error"`), field)
  }
})

test('lets visitors of a release choose the build', async () => {
  const android = (
    await uploadedBuild(service, tenant, {
      platform: 'android',
      primary_file: { filename: 'app.apk' },
    })
  ).build
  const linux = (await uploadedBuild(service, tenant, {})).build
  const release = await groups.release([android.id, linux.id])
  const path = `/applications/${tenant.applicationId}/releases/${release}/share-links`
  const body = { feedback_enabled: true }
  const link = (await service.call('POST', path, { key: tenant.workspaceKey, body })).body.data
  const form = await createBrowser().open(`${link.url}/feedback`)
  assert.match(form.text, new RegExp(`<option value="${linux.id}" selected`))
  assert.equal((await send(link.url, message('which?'))).status, 422)
  const foreign = { fields: { build_id: (await calls.createLink()).build.id } }
  assert.equal((await send(link.url, message('not in the release', foreign))).status, 422)
  const chosen = { fields: { build_id: android.id } }
  assert.equal((await send(link.url, message('on Android', chosen))).status, 303)
  assert.deepEqual(
    (await listed(`&build_id=${android.id}`)).map(({ text }: { text: string }) => text),
    ['on Android'],
  )
})

test('knows the sender of a personal link, and follows the setting of the group', async () => {
  const { build } = await uploadedBuild(service, tenant, {})
  const release = await groups.release([build.id])
  const group = await groups.group(['kim@example.com'])
  await groups.share(group, release)
  const url = await groupLink(service, tenant, 'kim@example.com')
  assert.equal((await send(url, message('off'))).status, 404)
  await change(`/distribution-groups/${group}`, { feedback_enabled: true })
  const form = await createBrowser().open(`${url}/feedback`)
  assert.match(textOf(form), /sent as kim@example.com/)
  assert.doesNotMatch(form.text, /name="email"/)
  const forged = { fields: { email: 'other@example.com', name: 'Other' } }
  assert.equal((await send(url, message('personal', forged))).status, 303)
  const [entry] = await listed(`&build_id=${build.id}`)
  assert.deepEqual(
    [entry.email, entry.name, entry.channel, entry.distribution_group_id],
    ['kim@example.com', null, 'distribution-group', group],
  )
  await service.call('DELETE', `/distribution-groups/${group}`, { key: tenant.workspaceKey })
  assert.equal((await send(url, message('gone'))).status, 410)
})

test('refuses feedback of revoked, expired, protected and used-up links', async () => {
  const revoked = await calls.createLink({ feedback_enabled: true })
  await change(`/share-links/${revoked.id}`, { is_active: false })
  assert.equal((await send(revoked.url, message('revoked'))).status, 410)
  const expired = await calls.createLink({ feedback_enabled: true })
  await service.deps.db
    .updateTable('share_links')
    .set({ expires_at: '2020-01-01T00:00:00Z' })
    .where('id', '=', expired.id)
    .execute()
  assert.equal((await send(expired.url, message('expired'))).status, 410)

  const locked = await calls.createLink({ feedback_enabled: true, password: 'correct horse' })
  const unlocked = await send(locked.url, message('no password'))
  assert.deepEqual([unlocked.status, unlocked.location], [303, new URL(locked.url).pathname])
  const visitor = createBrowser()
  await visitor.post(locked.url, { password: 'correct horse' })
  const cookie = [...visitor.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
  const accepted = await send(locked.url, message('with password', { headers: { cookie } }))
  assert.match(accepted.location ?? '', /\?sent$/)

  const used = await calls.createLink({ feedback_enabled: true, max_downloads: 1 })
  const tester = createBrowser()
  await tester.submit(await tester.open(used.url), 'Download for Linux')
  assert.equal((await createBrowser().open(`${used.url}/feedback`)).status, 410)
  assert.equal((await send(used.url, message('another person'))).status, 410)
  const page = await tester.open(`${used.url}/feedback`)
  assert.equal(page.status, 200)
  const resume = [...tester.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
  assert.equal((await send(used.url, message('the tester', { headers: { cookie: resume } }))).status, 303)
  const texts = (await listed()).map(({ text }: { text: string }) => text)
  assert.deepEqual(texts.slice(0, 2), ['the tester', 'with password'])
})

test('refuses forms that another site sends', async () => {
  const { url } = await calls.createLink({ feedback_enabled: true })
  for (const site of ['cross-site', 'same-site'])
    assert.equal((await send(url, message('forged', { headers: { 'sec-fetch-site': site } }))).status, 403)
})

test('limits feedback by client, by link and by build', async () => {
  const { url, id, build } = await calls.createLink({ feedback_enabled: true })
  const { byNetwork, byLink, byBuild } = service.deps.publicFeedback
  for (const [counter, subject] of [
    [byNetwork, '127.0.0.1'],
    [byLink, id],
    [byBuild, build.id],
  ] as const) {
    while (counter.take(subject).isAllowed);
    const refused = await sendForm(url, message('too much'))
    assert.equal(refused.status, 429)
    counter.forget(subject)
  }
  assert.equal((await send(url, message('enough'))).status, 303)
})

test('does not count feedback of a client over its limit against the link', async () => {
  const { url, id } = await calls.createLink({ feedback_enabled: true })
  const { byNetwork, byLink } = service.deps.publicFeedback
  while (byNetwork.take('127.0.0.1').isAllowed);
  assert.equal((await sendForm(url, message('too much'))).status, 429)
  assert.equal(byLink.take(id).remaining, byLink.limit - 1)
})

test('reads large forms only from visitors with a valid link', async () => {
  const { url } = await calls.createLink({ feedback_enabled: true })
  const large = new Uint8Array(17 * 1024 * 1024)
  const tooLarge = await send(url, message('large', { files: [large] })).catch(() => ({ status: 413 }))
  assert.equal(tooLarge.status, 413)
  const unknownUrl = url.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
  const files = [large.subarray(0, 1024 * 1024)]
  const unknown = await send(unknownUrl, { files }).catch(() => ({ status: 404 }))
  assert.equal(unknown.status, 404)
})

test('emails subscribers who can still access the application, once in 15 minutes for a build', async () => {
  const { url, build } = await calls.createLink({ feedback_enabled: true })
  const { workspaceId } = tenant
  const subscribe = async (email: string, role: string | undefined) => {
    const userId = await insertMember(service, tenant, { email, applicationRole: role })
    const values = { application_id: tenant.applicationId, user_id: userId }
    await service.deps.db.insertInto('feedback_subscriptions').values(values).execute()
  }
  await subscribe('dev@example.com', 'developer')
  await subscribe('former@example.com', undefined)
  const hostile = '<script>alert(1)</script>\n> "quoted"'
  assert.equal((await send(url, message(hostile, { fields: { name: '<b>Robin</b>' } }))).status, 303)
  assert.equal((await send(url, message('once more'))).status, 303)
  const mails = async () =>
    service.deps.db
      .selectFrom('mails')
      .select(['recipient', 'subject', 'text_body', 'html_body'])
      .where('workspace_id', '=', workspaceId)
      .where('subject', 'like', 'Feedback on%')
      .execute()
  const found = await mails()
  assert.deepEqual(
    found.map(({ recipient }) => recipient),
    ['dev@example.com'],
  )
  assert.ok(found[0]!.text_body.includes('> <script>alert(1)</script>\n> > "quoted"'))
  assert.doesNotMatch(found[0]!.html_body ?? '', /<script|<b>Robin/)
  await service.deps.db
    .updateTable('feedback_notices')
    .set({ sent_at: '2026-01-01T00:00:00Z' })
    .where('build_id', '=', build.id)
    .execute()
  assert.equal((await send(url, message('later'))).status, 303)
  assert.equal((await mails()).length, 2)
})

test('records feedback for webhooks, without the address, and for event streams', async () => {
  const { url } = await calls.createLink({ feedback_enabled: true })
  await send(url, message('for the tracker', { fields: { email: 'robin@example.com' } }))
  const row = await service.deps.db
    .selectFrom('events')
    .select('data')
    .where('name', '=', 'feedback.created')
    .where('application_id', '=', tenant.applicationId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const { feedback, build } = row.data as { feedback: { text: string; email: null }; build: { id: string } }
  assert.deepEqual([feedback.text, feedback.email], ['for the tracker', null])
  assert.equal(typeof build.id, 'string')
  const [entry] = await listed()
  const changes = await service.deps.db
    .selectFrom('changes')
    .select(['type', 'resource_id'])
    .where('type', '=', 'feedback')
    .where('resource_id', '=', entry.id)
    .execute()
  assert.equal(changes.length, 1)
})
