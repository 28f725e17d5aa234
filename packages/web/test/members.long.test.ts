import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { someOf } from '../../server/test/acceptance/full-size.ts'
import { insertMember } from '../../server/test/people.ts'
import { consoleRoutes } from '../build/console-routes.ts'
import { withoutChromium } from './chromium.ts'
import { fillRoute, sharedConsole, type Console } from './console.ts'
import { sectionsOf } from './sections.ts'
import { findBarriers, isEventStream, type Visitor } from './visit.ts'

type Role = 'developer' | 'qa' | 'readonly'

describe('the console of an invited member', { skip: withoutChromium }, () => {
  let console: Console
  let ids: Record<string, string>
  let workspaceId: string
  before(async () => {
    console = await sharedConsole()
    ids = (await console.fill()).ids
    const { db } = console.service.deps
    const oldest = db.selectFrom('workspaces').select('id').orderBy('created_at').limit(1)
    workspaceId = (await oldest.executeTakeFirstOrThrow()).id
  })

  /** Returns the cookie and ID of a new member with these roles in the application of `ids` and a new one. */
  async function join(name: string, roles: readonly Role[]) {
    const userId = await insertMember(
      console.service,
      { workspaceId, applicationId: ids['applicationId'] ?? '' },
      { name, applicationRole: roles[0] },
    )
    if (roles[1] !== undefined) await grant(userId, (await console.createApplication()).id, roles[1])
    return { userId, cookie: await console.service.signIn(userId, workspaceId) }
  }

  async function grant(userId: string, applicationId: string, role: Role): Promise<void> {
    const { client } = await console.fill()
    await client.createApplicationMember({
      application_id: applicationId,
      body: { user_id: userId, role },
    })
  }

  /** Records requests that the server refuses. */
  function recordRefusals({ page }: Visitor): string[] {
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} for ${response.url()}`)
      if (response.request().resourceType() !== 'document') return
      void response.text().then(
        (html) => {
          for (const [, url] of html.matchAll(/data-url="([^"]*)" data-status="[45]/g))
            refused.push(`a refused response to ${url} in the document`)
        },
        () => {},
      )
    })
    return refused
  }

  /** Links in the content to pages that only owners and admins of the workspace can open. */
  const closedLinks = 'main a:is([href^="/groups"], [href^="/portals"], [href^="/devices"])'

  const problemsOf = async ({ page, takeProblems }: Visitor): Promise<string[]> => [
    ...takeProblems(),
    ...(await page.locator(closedLinks).allInnerTexts()).map((name) => `a link to ${name}`),
    ...(await page.locator('[role=alert]:visible').allInnerTexts()),
    ...(await page.getByText(/This action requires/).allInnerTexts()),
  ]

  /** The documents of the pages contain responses too. Links within the console load the pages without a document. */
  const people: { name: string; roles: Role[]; width: number; opensDocuments: boolean }[] = [
    { name: 'without applications', roles: [], width: 1440, opensDocuments: false },
    { name: 'who reads one application', roles: ['readonly'], width: 1440, opensDocuments: true },
    { name: 'of two applications', roles: ['qa', 'developer'], width: 390, opensDocuments: false },
  ]
  const pages = consoleRoutes().filter(({ isPublic }) => !isPublic)
  for (const [turn, { name, roles, width, opensDocuments }] of people.entries())
    test(`shows no refused request to a member ${name}`, async (context) => {
      const { cookie } = await join(`Member ${name}`, roles)
      const visitor = await console.newPage({ width, cookie })
      const refused = recordRefusals(visitor)
      await visitor.open(console.url)
      for (const { path } of someOf(pages, people.length, turn)) {
        await context.test(path, async () => {
          const target = fillRoute(path, ids)
          await (opensDocuments ? visitor.open(console.url + target) : visitor.navigate(target))
          const problems = await problemsOf(visitor)
          for (const section of await sectionsOf(visitor.page)) {
            await section.open(visitor)
            problems.push(...(await problemsOf(visitor)).map((problem) => `${section.name}: ${problem}`))
          }
          assert.deepEqual([...problems, ...refused.splice(0)], [])
        })
      }
      await visitor.page.context().close()
    })

  test('says who can change channels and rollouts to a member who cannot', async () => {
    const { cookie } = await join('Tester', ['qa'])
    const { page, open, navigate } = await console.newPage({ width: 390, cookie })
    const channels = fillRoute('/applications/$applicationId/distribute', ids)
    await open(console.url + channels)
    await page.getByText('Only application admins can create and change channels.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'New channel' }).count(), 0)
    await navigate(fillRoute('/applications/$applicationId/distribute/$channelId', ids))
    await page.getByText('Only application admins and developers can change rollouts.').waitFor()
    await page.context().close()
  })

  test('names whom to ask, and shows an application as soon as the member is added', async () => {
    const { userId, cookie } = await join('Newcomer', [])
    const visitor = await console.newPage({ cookie })
    const { page } = visitor
    let streams = 0
    page.on('request', (request) => {
      if (isEventStream(request.url())) streams++
    })
    await visitor.open(console.url)
    await page.getByRole('heading', { name: 'No applications yet' }).waitFor()
    await page.locator('main').getByRole('link', { name: 'Ana Ruiz' }).waitFor()
    assert.equal(streams, 0)

    const { id, name } = await console.createApplication()
    await grant(userId, id, 'readonly')
    await page.locator('main').getByRole('link', { name }).waitFor()

    // The event stream reports that there is access to more.
    const other = await console.createApplication()
    await grant(userId, other.id, 'readonly')
    await page.locator('main').getByRole('link', { name: other.name }).waitFor()

    const { client } = await console.fill()
    for (const each of [id, other.id])
      await client.deleteApplicationMember({ application_id: each, user_id: userId })
    await page.getByRole('heading', { name: 'No applications yet' }).waitFor()
    await page.context().close()
  })

  test('is what an invitation to several applications leads to', async () => {
    const first = await console.createApplication()
    const second = await console.createApplication()
    const visitor = await console.newPage()
    const { page } = visitor
    const created = page.waitForResponse((response) => response.request().method() === 'POST')
    await visitor.open(`${console.url}/settings?section=members`)
    await page.getByRole('button', { name: 'Invite people' }).click()
    const dialog = page.getByRole('dialog')
    const emails = dialog.getByRole('combobox', { name: 'Email addresses' })
    await emails.fill(`${first.id}@example.com`)
    await dialog.getByText('empty workspace').waitFor()
    await dialog.getByPlaceholder('Choose applications').click()
    for (const { name } of [first, second]) await page.getByRole('option', { name }).click()
    await emails.click()
    await dialog.getByRole('radio', { name: 'QA' }).click()
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    const { data } = (await (await created).json()) as { data: { applications: unknown } }
    assert.deepEqual(
      data.applications,
      [first, second].map(({ id }) => ({ application_id: id, role: 'qa' })),
    )
    await page.context().close()
  })

  test('is what several people are invited to at once', async () => {
    const { id, name } = await console.createApplication()
    const visitor = await console.newPage()
    const { page } = visitor
    await visitor.open(`${console.url}/applications/${id}/settings?section=members`)
    await page.getByRole('button', { name: 'Invite people' }).click()
    const dialog = page.getByRole('dialog')
    const emails = dialog.getByRole('combobox', { name: 'Email addresses' })
    const invite = dialog.getByRole('button', { name: 'Invite', exact: true })
    await invite.click()
    await dialog.getByText('Enter an email address.').waitFor()
    const people = [1, 2].map((number) => `person${number}.${id.toLowerCase()}@example.com`)
    // As copied from the recipients of an email, with an address twice.
    await emails.fill(`Ana Ruiz <${people[0]}>, ${people[1]}; ${people[0]}, `)
    await emails.pressSequentially('not an address')
    assert.deepEqual(await findBarriers(page), [])
    await invite.click()
    await dialog.getByText('2 people invited. Correct the others.').waitFor()
    await dialog
      .getByText(/not.*email/i)
      .first()
      .waitFor()
    await emails.press('Backspace')
    await emails.fill(`third.${id.toLowerCase()}@example.com`)
    await invite.click()
    await page.getByRole('dialog', { name: '3 people invited' }).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const { client } = await console.fill()
    const { data } = await client.listInvitations({ per_page: 100 })
    const open = data.filter((each) => each.application_id === id)
    assert.deepEqual(
      new Map(open.map(({ email, role }) => [email, role])),
      new Map([...people, `third.${id.toLowerCase()}@example.com`].map((email) => [email, 'developer'])),
      name,
    )
    await page.context().close()
  })

  test('has the only application of the workspace selected in an invitation', async () => {
    const only = await console.createApplication()
    const { page, settle } = await console.newPage()
    await page.route(/\/applications\?/, (route) =>
      route.fulfill({
        json: {
          message: '',
          data: [only],
          pagination: { current_page: 1, last_page: 1, per_page: 100, total: 1, from: 1, to: 1 },
        },
      }),
    )
    // The document contains the response to the same request.
    await page.addInitScript(() => {
      new MutationObserver(() => {
        for (const each of document.querySelectorAll('script[data-url*="/applications?"], #preview-state'))
          each.remove()
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto(`${console.url}/settings?section=members`)
    await settle()
    await page.getByRole('button', { name: 'Invite people' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Role in the application').waitFor()
    assert.ok((await dialog.innerText()).includes(only.name))
    await page.context().close()
  })
})
