import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { insertMember } from '../../server/test/people.ts'
import { until } from '../../server/test/until.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { findBarriers } from './visit.ts'

/** Returns the texts of links without their icons, which are initials if an application has no icon. */
const namesOf = (links: readonly Element[]) =>
  links.map((link) => {
    const copy = link.cloneNode(true) as Element
    for (const icon of copy.querySelectorAll('[aria-hidden]')) icon.remove()
    return copy.textContent
  })

describe('saved views and pins', { skip: withoutChromium }, () => {
  let console: Console
  let applicationId: string
  let workspaceId: string
  before(async () => {
    console = await sharedConsole()
    const { ids } = await console.fill()
    applicationId = ids['applicationId']!
    const { db } = console.service.deps
    const workspace = db.selectFrom('applications').where('id', '=', applicationId)
    workspaceId = (await workspace.select('workspace_id').executeTakeFirstOrThrow()).workspace_id
  })

  const signIn = async (role: { workspaceRole?: string; applicationRole?: string }) =>
    console.service.signIn(
      await insertMember(console.service, { workspaceId, applicationId }, role),
      workspaceId,
    )

  /** Opens the console of a workspace that no other test adds applications to, because the sidebar shows 12. */
  const openOwnWorkspace = async (names: readonly string[]) => {
    const tenant = await console.service.tenant()
    const rows = names.map((name, index) => ({
      id: `${tenant.applicationId}-many${String(index).padStart(6, '0')}`,
      workspace_id: tenant.workspaceId,
      name,
    }))
    await console.service.deps.db.insertInto('applications').values(rows).execute()
    const userId = await insertMember(console.service, tenant, { workspaceRole: 'owner' })
    const visitor = await console.newPage({
      cookie: await console.service.signIn(userId, tenant.workspaceId),
    })
    await visitor.open(console.url)
    return visitor
  }

  test('saves the list as a view, changes it, and restores it after it was deleted', async () => {
    const visitor = await console.newPage({ cookie: await signIn({ workspaceRole: 'owner' }) })
    const { page } = visitor
    await visitor.open(`${console.url}/applications/${applicationId}?branches=main&sort_by=version&sort=desc`)
    await page.getByRole('button', { name: 'Save view' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as new view' })
    await dialog.getByLabel('Name').fill('Main by version')
    await dialog.getByLabel('Everyone in the application').check()
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('button', { name: 'Save view' }).click()
    await page.waitForURL(/\/views\/\w+$/)
    const url = page.url()
    const title = page.getByRole('heading', { level: 1, name: 'Main by version' })
    await title.waitFor()
    const pinned = page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Main by version' })
    await pinned.waitFor()

    const changes = page.getByRole('group', { name: 'Changed' })
    await page.getByLabel('Remove Branch: main').click()
    await changes.waitFor()
    assert.match(page.url(), /\/views\/\w+\?/)
    // Until the changed list has loaded, its rows are dimmed.
    await visitor.settle()
    assert.deepEqual(await findBarriers(page), [])
    await changes.getByRole('button', { name: 'Discard changes' }).click()
    await page.waitForURL(url)
    await page.getByLabel('Remove Branch: main').click()
    await page.getByRole('button', { name: 'Date', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Last 7 days' }).click()
    await changes.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(url)
    await changes.waitFor({ state: 'detached' })
    await visitor.open(url)
    // A view of the last days must not become one of the days before it was saved.
    await page.getByLabel('Remove Last 7 days').waitFor()
    assert.equal(await page.getByLabel('Remove Branch: main').count(), 0)

    await page.getByRole('button', { name: 'Actions for Main by version' }).click()
    await page.getByRole('menuitem', { name: 'Delete view' }).click()
    await page.getByRole('heading', { level: 1, name: 'Builds' }).waitFor()
    await pinned.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForURL(url)
    await title.waitFor()
    await pinned.waitFor()
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByRole('menuitem', { name: 'Main branch' }).click()
    await page.getByRole('heading', { level: 1, name: 'Main branch' }).waitFor()
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()
  })

  test('offers a member who cannot change builds only views of their own', async () => {
    const visitor = await console.newPage({ cookie: await signIn({ applicationRole: 'readonly' }) })
    const { page } = visitor
    const { ids } = await console.fill()
    await visitor.open(`${console.url}/applications/${applicationId}/views/${ids['viewId']}`)
    await page.getByRole('button', { name: 'Actions for Main branch' }).click()
    assert.deepEqual(await page.getByRole('menuitem').allTextContents(), ['Pin to sidebar'])
    await page.keyboard.press('Escape')
    await page.getByLabel('Remove Branch: main').click()
    const changes = page.getByRole('group', { name: 'Changed' })
    assert.deepEqual(await changes.getByRole('button').allTextContents(), [
      'Save as new view',
      'Discard changes',
    ])
    await changes.getByRole('button', { name: 'Save as new view' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as new view' })
    assert.equal(await dialog.getByLabel('Everyone in the application').count(), 0)
    await dialog.getByLabel('Name').fill('My builds')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'My builds' }).waitFor()
    await page.getByText(/^Your view · /).waitFor()
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()
  })

  test('keeps pinned applications in the order of the person, by keyboard and by mouse', async () => {
    const [first, second] = ['Anchor', 'Beacon']
    const visitor = await openOwnWorkspace([first, second])
    const { page } = visitor
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    const shown = async () =>
      (await sidebar.locator('a[href*="/applications/"]').evaluateAll(namesOf)).slice(0, 2)
    const saved = () => page.waitForResponse((response) => response.url().endsWith('/api/v1/pins'))
    const pin = async (name: string) => {
      await sidebar.getByRole('link', { name, exact: true }).hover()
      await sidebar.getByRole('button', { name: `Actions for ${name}` }).click()
      await Promise.all([saved(), page.getByRole('menuitem', { name: 'Pin', exact: true }).click()])
    }
    await pin(second)
    await pin(first)
    assert.deepEqual(await shown(), [second, first])
    const linkOf = (name: string) => sidebar.getByRole('link', { name, exact: true })
    /** Repeats the move, because the sidebar may be drawn again while it starts. */
    const reorder = async (order: string[], move: () => Promise<void>) => {
      const isDone = async () => isDeepStrictEqual(await shown(), order)
      const moveIfNeeded = async () => {
        if (!(await isDone())) await move()
        return isDone()
      }
      await Promise.all([saved(), until('the new order', moveIfNeeded, { everyMs: 500 })])
    }
    await reorder([first, second], () => linkOf(first).press('Alt+ArrowUp'))
    await sidebar
      .getByRole('status')
      .getByText(`${first} moved to position 1 of 2.`)
      .waitFor({ state: 'attached' })
    assert.deepEqual(await page.locator(':focus').evaluateAll(namesOf), [first])
    await reorder([second, first], () => linkOf(second).dragTo(linkOf(first)))
    await page.reload()
    await visitor.settle()
    assert.deepEqual(await shown(), [second, first])
    assert.deepEqual(await findBarriers(page), [])
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()
  })

  test('switches between 200 applications with the keyboard', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `Application ${String(index).padStart(3, '0')}`)
    const visitor = await openOwnWorkspace(names)
    const { page } = visitor
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    assert.ok((await sidebar.locator('a[href*="/applications/a"]').count()) <= 12)
    await page.keyboard.press('a')
    const search = page.getByRole('textbox', { name: 'Search' })
    await search.waitFor()
    assert.ok((await page.locator('[data-action]').count()) <= 60)
    await search.fill('application 177')
    await page.getByRole('button', { name: 'Application 177' }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.keyboard.press('Enter')
    await page.waitForURL(/many000177/)
    await sidebar.getByRole('link', { name: 'Application 177' }).waitFor()
    await visitor.settle()
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.goto(console.url)
    await visitor.settle()
    await sidebar.getByRole('button', { name: /All applications/ }).click()
    const options = page.locator('.mantine-Spotlight-action')
    await options.first().waitFor()
    assert.match((await options.first().textContent()) ?? '', /Application 177/)
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()
  })
})
