import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { insertMember, insertTeam } from '../../server/test/people.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { findBarriers, type Visitor } from './visit.ts'

describe('teams in the console', { skip: withoutChromium }, () => {
  let console: Console
  before(async () => {
    console = await sharedConsole()
  })

  /** Opens the console of a new workspace as its owner, with a member who is in no application. */
  async function openWorkspace(path: (applicationId: string) => string) {
    const tenant = await console.service.tenant()
    const owner = await insertMember(console.service, tenant, { name: 'Olga', workspaceRole: 'owner' })
    const tess = await insertMember(console.service, tenant, { name: 'Tess' })
    const cookie = await console.service.signIn(owner, tenant.workspaceId)
    const visitor = await console.newPage({ cookie })
    return { tenant, tess, visitor, open: () => visitor.open(console.url + path(tenant.applicationId)) }
  }

  /** Focuses a control, as Tab does, and presses the key. */
  const press = async (control: ReturnType<Visitor['page']['getByRole']>, key = 'Enter') => {
    await control.focus()
    await control.press(key)
  }

  test('are created, filled and given a role in an application by keyboard', async () => {
    const { visitor, open } = await openWorkspace(() => '/settings?section=teams')
    const { page } = visitor
    await open()
    await press(page.getByRole('button', { name: 'New team' }))
    await page.keyboard.type('Testers')
    assert.deepEqual(await findBarriers(page), [])
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/teams\/\w+$/)
    await page.getByRole('heading', { level: 1, name: 'Testers' }).waitFor()

    await press(page.getByRole('button', { name: 'Add members' }))
    const members = page.getByRole('dialog', { name: 'Add members to Testers' })
    await members
      .getByRole('combobox', { name: 'Members' })
      .or(members.getByLabel('Members'))
      .first()
      .waitFor()
    await page.keyboard.type('Tess')
    await page.getByRole('option', { name: /Tess/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await press(members.getByRole('button', { name: 'Add 1 member' }))
    await page.getByRole('checkbox', { name: 'Tess' }).waitFor()
    assert.deepEqual(await findBarriers(page), [])

    await press(page.getByRole('tab', { name: 'Members' }), 'ArrowRight')
    await press(page.getByRole('button', { name: 'Add to an application' }))
    const dialog = page.getByRole('dialog', { name: 'Add Testers to an application' })
    await dialog.waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await press(dialog.getByRole('radio', { name: 'QA' }), 'Space')
    assert.deepEqual(await findBarriers(page), [])
    await press(dialog.getByRole('button', { name: 'Add' }))
    await page.getByLabel(/Role of Testers in/).waitFor()
    assert.equal(await page.getByLabel(/Role of Testers in/).inputValue(), 'qa')
    assert.deepEqual(await findBarriers(page), [])
    assert.deepEqual(visitor.takeProblems(), [])
  })

  test('explain why a person cannot be removed from an application, and link to the team', async () => {
    const { tenant, tess, visitor, open } = await openWorkspace(
      (id) => `/applications/${id}/settings?section=members`,
    )
    const team = await insertTeam(console.service, tenant, { name: 'Testers', members: [tess], role: 'qa' })
    const { page } = visitor
    await open()
    await page.getByText('Through Testers').waitFor()
    await press(page.getByRole('button', { name: 'Actions for Tess' }))
    await press(page.getByRole('menuitem', { name: 'Remove from the application' }))
    const dialog = page.getByRole('dialog', { name: 'Remove Tess' })
    await dialog.getByText(/has access through a team/).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await press(dialog.getByRole('link', { name: 'Testers' }))
    await page.waitForURL(new RegExp(`/teams/${team}$`))
    await press(page.getByRole('checkbox', { name: 'Tess' }), 'Space')
    await press(page.getByRole('button', { name: 'Remove' }))
    await page.getByText('No members yet').waitFor()
    await press(page.getByRole('button', { name: 'Undo' }))
    await page.getByRole('checkbox', { name: 'Tess' }).waitFor()
    assert.deepEqual(visitor.takeProblems(), [])
  })

  test('lose all selected members, however many there are, and get them back', async () => {
    const { service } = console
    const tenant = await service.tenant()
    const owner = await insertMember(service, tenant, { workspaceRole: 'owner' })
    const people: string[] = []
    for (let count = 0; count < 101; count++) people.push(await insertMember(service, tenant))
    const team = await insertTeam(service, tenant, { members: people })
    const visitor = await console.newPage({ cookie: await service.signIn(owner, tenant.workspaceId) })
    const { page } = visitor
    await visitor.open(`${console.url}/teams/${team}`)
    await page.getByRole('button', { name: 'Show more members' }).click()
    await page.getByText('101 members').first().waitFor()
    await page.getByRole('checkbox', { name: 'Ada' }).nth(100).waitFor()
    await page.getByRole('checkbox', { name: /^Select all/ }).check()
    await page.getByText('101 selected').waitFor()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('heading', { name: 'No members yet' }).waitFor()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByText('101 members').first().waitFor()
    assert.deepEqual(visitor.takeProblems(), [])
  })

  test('are named in an invitation', async () => {
    const { tenant, visitor, open } = await openWorkspace(() => '/settings?section=members')
    await insertTeam(console.service, tenant, { name: 'Testers', role: 'qa' })
    const { page } = visitor
    await open()
    await press(page.getByRole('button', { name: 'Invite people' }))
    const dialog = page.getByRole('dialog', { name: 'Invite people' })
    await dialog.waitFor()
    await page.keyboard.type('uma@example.com')
    await dialog.getByPlaceholder('Choose teams').focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Testers' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    assert.deepEqual(await findBarriers(page), [])
    await press(dialog.getByRole('button', { name: 'Invite', exact: true }))
    await page.getByText('Team: Testers').waitFor()
  })
})
