import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sendForm, type SentForm } from '../../../../test/feedback.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { createBrowser, textOf } from '../../../../test/page-browser.ts'
import { portalCalls, signInToPortal, visit } from '../../../../test/portals.ts'
import { uploadedBuild } from '../../../../test/uploading.ts'
import { images } from '../../../inspection/images/image.fixture.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof portalCalls>

before(async () => {
  service = await startService()
})
after(() => service.close())

async function newTenant(): Promise<void> {
  tenant = await service.tenant()
  calls = portalCalls(service, tenant)
}

/** Sends a form as the first of a client. */
function send(url: string, text: string, { fields = {}, ...form }: SentForm = {}) {
  service.deps.publicFeedback.byNetwork.forget('127.0.0.1')
  return sendForm(url, { ...form, fields: { text, ...fields } })
}

const listed = () =>
  service.deps.db
    .selectFrom('feedback')
    .select(['text', 'name', 'email', 'channel', 'portal_id', 'build_id'])
    .where('application_id', '=', tenant.applicationId)
    .orderBy('created_at')
    .execute()

test('is turned off by default, and accepted for releases and builds of a stream once it is turned on', async () => {
  await newTenant()
  const { id, portal_url: url } = await calls.portal({}, { streams_mode: 'all' })
  const release = await calls.release([1])
  const { build } = await uploadedBuild(service, tenant, {})
  const ofRelease = `${url}/releases/${release.id}`
  const ofBuild = `${url}/streams/${build.stream.id}/builds/${build.id}`
  for (const page of [ofRelease, ofBuild]) {
    assert.doesNotMatch((await createBrowser().open(page)).text, /Send feedback/)
    assert.equal((await createBrowser().open(`${page}/feedback`)).status, 404)
    assert.equal((await send(page, 'too early')).status, 404)
  }
  await calls.send('PATCH', `/portals/${id}`, { feedback_enabled: true })
  for (const page of [ofRelease, ofBuild]) {
    const { pathname } = new URL(page)
    assert.ok((await createBrowser().open(page)).text.includes(`href="${pathname}/feedback"`))
    const form = await createBrowser().open(`${page}/feedback`)
    assert.match(textOf(form), /Acme builds .*Your message/)
    assert.match(String(form.headers['accept-ch']), /Sec-CH-UA-Model/)
    const rejected = await send(page, '')
    assert.equal(rejected.status, 422)
    assert.match(textOf(rejected), /Acme builds .*Write a message\./)
    const sent = await send(page, `about ${pathname}`, { fields: { email: 'robin@example.com' } })
    assert.deepEqual([sent.status, sent.location], [303, `${pathname}/feedback?sent`])
    assert.match(textOf(await createBrowser().open(`${page}/feedback?sent`)), /Thank you/)
  }
  const source = { name: null, email: 'robin@example.com', channel: 'portal', portal_id: id }
  assert.deepEqual(await listed(), [
    { ...source, text: `about ${new URL(ofRelease).pathname}`, build_id: release.builds[0]?.id },
    { ...source, text: `about ${new URL(ofBuild).pathname}`, build_id: build.id },
  ])
})

test('accepts feedback in a private portal only from visitors whom it allows, with their address', async () => {
  await newTenant()
  const email = 'ana@example.com'
  const fields = { type: 'private', allowed_visitors: [email], feedback_enabled: true }
  const { id, portal_url: url } = await calls.portal(fields)
  const release = await calls.release([1])
  const page = `${url}/releases/${release.id}`
  const closed = await createBrowser().open(`${page}/feedback`)
  assert.match(textOf(closed), /This page is private/)
  assert.doesNotMatch(closed.text, /Your message|1\.0\.0/)
  assert.equal((await send(page, 'not signed in')).status, 403)
  const cookie = await signInToPortal(service, id, { email })
  const form = await createBrowser().open(`${page}/feedback`, { cookie })
  assert.match(textOf(form), new RegExp(`sent as ${email}`))
  const forged = { email: 'other@example.com', name: 'Other' }
  assert.equal((await send(page, 'signed in', { headers: { cookie }, fields: forged })).status, 303)
  await calls.send('PATCH', `/portals/${id}`, { allowed_visitors: ['@example.org'] })
  assert.equal((await send(page, 'removed', { headers: { cookie } })).status, 403)
  assert.match(textOf(await createBrowser().open(`${page}/feedback`, { cookie })), /This page is private/)
  assert.deepEqual(
    (await listed()).map((row) => [row.text, row.email, row.name]),
    [['signed in', email, null]],
  )
})

test('refuses feedback about what the portal does not show', async () => {
  await newTenant()
  const own = await calls.release([1])
  const elsewhere = calls
  await elsewhere.portal({ feedback_enabled: true })
  await newTenant()
  const { portal_url: url } = await calls.portal({ feedback_enabled: true })
  const { builds, id } = await calls.release([2])
  assert.equal((await send(`${url}/releases/${own.id}`, 'foreign')).status, 404)
  const streamId = builds[0]?.stream.id
  assert.equal((await send(`${url}/streams/${streamId}/builds/${builds[0]?.id}`, 'hidden')).status, 404)
  const page = `${url}/releases/${id}`
  assert.equal((await send(page, 'shown')).status, 303)
  await calls.releases.withdraw(id)
  for (const status of [
    (await createBrowser().open(`${page}/feedback`)).status,
    (await send(page, 'withdrawn')).status,
  ])
    assert.equal(status, 404)
  assert.deepEqual(
    (await listed()).map(({ text }) => text),
    ['shown'],
  )
})

test('checks again in the transaction that saves the feedback', async () => {
  await newTenant()
  const { id, portal_url: url } = await calls.portal({ feedback_enabled: true })
  const release = await calls.release([1])
  const files = [Buffer.from(images.jpeg.base64, 'base64')]
  const { storage } = service.deps
  const { store } = storage
  for (const [change, status] of [
    [{ feedback_enabled: false }, 404],
    [{ feedback_enabled: true, type: 'private' }, 403],
  ] as const) {
    // The portal is changed while a screenshot is being stored.
    storage.store = async (...input) => {
      await calls.send('PATCH', `/portals/${id}`, change)
      return store.apply(storage, input)
    }
    try {
      const sent = await send(`${url}/releases/${release.id}`, 'too late', { files })
      assert.equal(sent.status, status, sent.text)
    } finally {
      storage.store = store
    }
    await calls.send('PATCH', `/portals/${id}`, { feedback_enabled: true, type: 'public' })
  }
  assert.deepEqual(await listed(), [])
})

test('works at a custom domain', async () => {
  await newTenant()
  const host = `feedback-${tenant.workspaceId}.example.org`
  const { id } = await calls.portal({ custom_domain: host, feedback_enabled: true })
  await service.deps.db
    .updateTable('portals')
    .set({ custom_domain_verified_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
  const release = await calls.release([1])
  const path = `/releases/${release.id}/feedback`
  const form = await visit(service, path, { headers: { host } })
  assert.equal(form.status, 200)
  assert.ok(form.text.includes(`action="${path}"`))
  const content = new FormData()
  content.append('text', 'from the domain')
  const multipart = new Response(content)
  const headers = { host, 'content-type': multipart.headers.get('content-type') ?? '' }
  service.deps.publicFeedback.byNetwork.forget('127.0.0.1')
  const sent = await visit(service, path, { method: 'POST', headers, body: await multipart.text() })
  assert.deepEqual([sent.status, sent.headers.location], [303, `${path}?sent`])
  assert.match((await visit(service, `${path}?sent`, { headers: { host } })).text, /Thank you/)
  assert.deepEqual(
    (await listed()).map(({ text, portal_id }) => [text, portal_id]),
    [['from the domain', id]],
  )
})
