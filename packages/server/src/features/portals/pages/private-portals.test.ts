import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startOwnService, type Service, type Tenant } from '../../../../test/harness.ts'
import { createBrowser, textOf } from '../../../../test/page-browser.ts'
import { insertMember } from '../../../../test/people.ts'
import { portalCalls } from '../../../../test/portals.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof portalCalls>
let people = 0

before(async () => {
  service = await startOwnService()
})
after(() => service.close())

type Portal = { id: string; portal_url: string }

/** Starts each test with a private portal of its own and a person that it allows. */
async function privatePortal(fields: object = {}): Promise<Portal & { email: string }> {
  tenant = await service.tenant()
  calls = portalCalls(service, tenant)
  const email = `ana${(people += 1)}@example.com`
  const portal = await calls.portal({ type: 'private', allowed_visitors: [email.toUpperCase()], ...fields })
  await service.deps.db.updateTable('portal_codes').set({ network: 'earlier' }).execute()
  return { ...portal, email }
}

async function codesFor(email: string): Promise<string[]> {
  const rows = await service.deps.db
    .selectFrom('mails')
    .select('text_body')
    .where('recipient', '=', email)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ text_body }) => /^(\d{4} \d{4})$/m.exec(text_body)?.[1] ?? assert.fail(text_body))
}

/** Requests a code in a browser and returns the page that asks for it. */
async function requestCode(browser: ReturnType<typeof createBrowser>, { portal_url }: Portal, email: string) {
  const front = await browser.open(portal_url)
  const sent = await browser.submit(front, 'Send code', { email })
  assert.equal(sent.status, 303, sent.text)
  return browser.open(sent.location ?? assert.fail(sent.text))
}

async function signIn(portal: Portal, email: string, browser = createBrowser()) {
  const page = await requestCode(browser, portal, email)
  const entered = await browser.submit(page, 'Continue', { code: (await codesFor(email)).at(-1) ?? '' })
  assert.equal(entered.status, 303, entered.text)
  return browser
}

test('opens for an allowed address with the code from the email, and stays closed for all others', async () => {
  const portal = await privatePortal()
  const { id } = await calls.release([1])
  const { portal_url: url, email } = portal
  const stranger = createBrowser()
  for (const path of ['', '/changelog', `/releases/${id}`, `/releases/${id}/download`]) {
    const page = await stranger.open(`${url}${path}`)
    assert.match(textOf(page), /This page is private/, path)
    assert.ok(!page.text.includes('1.0.0'), path)
  }
  for (const format of ['rss', 'atom', 'json'])
    assert.equal((await stranger.open(`${url}/feed.${format}`)).status, 403)
  const browser = await signIn(portal, email)
  const front = await browser.open(url)
  assert.match(textOf(front), /1\.0\.0/)
  assert.match(textOf(front), new RegExp(`Opened as ${email}`))
  const download = await browser.open(`${url}/releases/${id}/download`)
  assert.equal(download.status, 303)
  const rows = await service.deps.db
    .selectFrom('downloads')
    .select('email')
    .where('portal_id', '=', portal.id)
    .execute()
  assert.deepEqual(rows, [{ email }])
  const [, feed = ''] = /href="([^"]*feed\.atom[^"]*)"/.exec(front.text) ?? []
  const feedUrl = new URL(feed.replaceAll('&#38;', '&'), url).href
  assert.equal((await createBrowser().open(feedUrl)).status, 200)
  assert.equal((await createBrowser().open(feedUrl.replace(/reader=./, 'reader=Z'))).status, 403)
  const left = await browser.submit(front, 'Sign out')
  assert.equal(left.status, 303)
  assert.match(textOf(await browser.open(url)), /This page is private/)
})

test('responds alike whether or not an address is allowed, and sends no email to others', async () => {
  const portal = await privatePortal()
  const known = await requestCode(createBrowser(), portal, portal.email)
  const unknown = await requestCode(createBrowser(), portal, 'eve@elsewhere.example')
  assert.equal(known.status, unknown.status)
  assert.equal(
    known.text.replaceAll(portal.email, '-'),
    unknown.text.replaceAll('eve@elsewhere.example', '-'),
  )
  assert.equal((await codesFor(portal.email)).length, 1)
  assert.deepEqual(await codesFor('eve@elsewhere.example'), [])
})

test('accepts a code once, only in the browser that requested it, and only for its portal', async () => {
  const portal = await privatePortal()
  const other = await calls.portal({ type: 'private', allowed_visitors: [portal.email] })
  const browser = createBrowser()
  const page = await requestCode(browser, portal, portal.email)
  const [code = ''] = await codesFor(portal.email)
  const thief = createBrowser()
  assert.equal((await thief.post(`${portal.portal_url}/session`, { code })).status, 403)
  const elsewhere = createBrowser()
  for (const [name, cookie] of browser.cookies)
    elsewhere.cookies.set(name, { ...cookie, path: `/p/${other.id}` })
  assert.equal((await elsewhere.post(`${other.portal_url}/session`, { code })).status, 403)
  const cookies = new Map(browser.cookies)
  assert.equal((await browser.submit(page, 'Continue', { code })).status, 303)
  const replay = createBrowser()
  for (const [name, cookie] of cookies) replay.cookies.set(name, cookie)
  assert.equal((await replay.post(`${portal.portal_url}/session`, { code })).status, 403)
  const session = browser.cookies.get('quayside_portal')
  assert.equal(session?.path, `/p/${portal.id}`)
  elsewhere.cookies.clear()
  elsewhere.cookies.set('quayside_portal', { value: session?.value ?? '', path: `/p/${other.id}` })
  assert.match(textOf(await elsewhere.open(other.portal_url)), /This page is private/)
})

test('lets nobody guess a code, even with parallel requests', async () => {
  const portal = await privatePortal()
  const browser = createBrowser()
  await requestCode(browser, portal, portal.email)
  const [code = ''] = await codesFor(portal.email)
  const wrong = code.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10))
  const guesses = await Promise.all(
    Array.from({ length: 20 }, () => browser.post(`${portal.portal_url}/session`, { code: wrong })),
  )
  assert.equal(guesses.filter(({ text }) => text.includes('The code is incorrect')).length, 5)
  const late = await browser.post(`${portal.portal_url}/session`, { code })
  assert.deepEqual([late.status, browser.cookies.has('quayside_portal')], [403, false])
  const row = await service.deps.db
    .selectFrom('portal_codes')
    .select(['code_hash', 'guess_count'])
    .where('email', '=', portal.email)
    .executeTakeFirstOrThrow()
  assert.equal(row.guess_count, 5)
  assert.ok(!row.code_hash?.includes(code.replace(' ', '')))
})

test('limits the emails to one address and the requests from one network', async () => {
  const portal = await privatePortal()
  const again = await calls.portal({ type: 'private', allowed_visitors: ['@example.com'] })
  const request = (url: string, email: string) => createBrowser().post(`${url}/code`, { email })
  const toOne = []
  for (let count = 0; count < 5; count++)
    toOne.push((await request(count % 2 === 0 ? portal.portal_url : again.portal_url, portal.email)).status)
  assert.deepEqual(toOne, [303, 303, 303, 429, 429])
  assert.equal((await codesFor(portal.email)).length, 3)
  const many = await Promise.all(
    Array.from({ length: 30 }, (_, index) => request(again.portal_url, `person${index}@example.com`)),
  )
  assert.equal(many.filter(({ status }) => status === 303).length, 17)
  const limited = await request(again.portal_url, 'last@example.com')
  assert.match(textOf(limited), /Too many codes were requested\. Try again in \d+ minutes/)
  assert.ok(Number(limited.headers['retry-after']) > 60)
})

test('sends a code to an address for which another network has used up its codes of the day', async () => {
  const portal = await privatePortal()
  const request = () => createBrowser().post(`${portal.portal_url}/code`, { email: portal.email })
  const moveBack = (network: object) =>
    service.deps.db
      .updateTable('portal_codes')
      .set({ created_at: new Date(Date.now() - 60 * 60 * 1000).toISOString(), ...network })
      .where('email', '=', portal.email)
      .execute()
  for (let count = 0; count < 10; count++) {
    assert.equal((await request()).status, 303)
    await moveBack({})
  }
  assert.equal((await request()).status, 429)
  await moveBack({ network: 'stranger' })
  assert.equal((await request()).status, 303)
})

test('ends access as soon as an address or domain is removed, and lets members in', async () => {
  const portal = await privatePortal({ allowed_visitors: ['@example.com'] })
  const browser = await signIn(portal, portal.email)
  const isOpen = async () => !/This page is private/.test(textOf(await browser.open(portal.portal_url)))
  assert.ok(await isOpen())
  await calls.send('PATCH', `/portals/${portal.id}`, { allowed_visitors: ['@example.org', 'x@example.com'] })
  assert.ok(!(await isOpen()))
  await calls.send('PATCH', `/portals/${portal.id}`, { allowed_visitors: [portal.email] })
  assert.ok(await isOpen())
  const member = await insertMember(service, tenant)
  const { email } = await service.deps.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', member)
    .executeTakeFirstOrThrow()
  const colleague = await signIn(portal, email.toLowerCase())
  assert.match(textOf(await colleague.open(portal.portal_url)), /Opened as/)
  await service.deps.db.deleteFrom('workspace_members').where('user_id', '=', member).execute()
  assert.match(textOf(await colleague.open(portal.portal_url)), /This page is private/)
})

test('ends sessions and codes after their time', async () => {
  const portal = await privatePortal()
  const browser = await signIn(portal, portal.email)
  const expire = (table: 'portal_sessions' | 'portal_codes') =>
    service.deps.db
      .updateTable(table)
      .set({ expires_at: sql`now()` })
      .where('portal_id', '=', portal.id)
      .execute()
  await expire('portal_sessions')
  assert.match(textOf(await browser.open(portal.portal_url)), /This page is private/)
  const late = createBrowser()
  const page = await requestCode(late, portal, portal.email)
  await expire('portal_codes')
  const code = (await codesFor(portal.email)).at(-1) ?? ''
  const entered = await late.submit(page, 'Continue', { code })
  assert.equal(entered.status, 403)
  assert.match(textOf(entered), /can no longer be used/)
})

test('rejects addresses that no portal can allow', async () => {
  const portal = await privatePortal()
  for (const email of ['', 'nobody', 'a@b@c', `${'a'.repeat(300)}@example.com`, '<script>@x y'])
    assert.equal((await createBrowser().post(`${portal.portal_url}/code`, { email })).status, 422, email)
  for (const visitor of ['nobody', '@', 'a@b@c', ''])
    assert.equal(
      (
        await service.call('PATCH', `/portals/${portal.id}`, {
          key: tenant.workspaceKey,
          body: { allowed_visitors: [visitor] },
        })
      ).status,
      422,
      visitor,
    )
})
