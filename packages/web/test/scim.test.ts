import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { insertMember, insertTeam } from '../../server/test/people.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { findBarriers, type Visitor } from './visit.ts'

describe('provisioning in the console', { skip: withoutChromium }, () => {
  let console: Console
  before(async () => {
    console = await sharedConsole()
  })

  const press = async (control: ReturnType<Visitor['page']['getByRole']>, key = 'Enter') => {
    await control.focus()
    await control.press(key)
  }

  async function openAs(workspaceRole: 'owner' | 'admin', path: string) {
    const tenant = await console.service.tenant()
    const user = await insertMember(console.service, tenant, { name: 'Olga', workspaceRole })
    const visitor = await console.newPage({ cookie: await console.service.signIn(user, tenant.workspaceId) })
    await visitor.open(console.url + path)
    return { tenant, visitor, page: visitor.page }
  }

  test('creates, replaces and revokes the token by keyboard', async () => {
    const { tenant, visitor, page } = await openAs('owner', '/settings?section=scim')
    const created = page.getByRole('dialog', { name: 'SCIM token', exact: true })
    const token = async () =>
      (await created.getByLabel('SCIM token', { exact: true }).last().textContent()) ?? ''
    const works = async (bearer: string) => {
      const path = `${console.service.url}/scim/v2/Users`
      return (await console.service.call('GET', path, { key: bearer })).status === 200
    }
    await page
      .getByRole('heading', { name: 'No identity provider connected' })
      .or(page.getByText('No identity provider connected'))
      .first()
      .waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await press(page.getByRole('button', { name: 'Create token' }))
    await created.waitFor()
    assert.deepEqual(await findBarriers(page), [])
    const first = await token()
    assert.match(first, /^qsp_/)
    assert.ok(await works(first))
    await press(created.getByRole('button', { name: 'Done' }))

    await press(page.getByRole('button', { name: 'SCIM token actions' }))
    await press(page.getByRole('menuitem', { name: 'Replace token' }))
    await press(
      page
        .getByRole('dialog', { name: 'Replace the SCIM token?' })
        .getByRole('button', { name: 'Replace token' }),
    )
    await created.waitFor()
    const second = await token()
    assert.deepEqual([await works(first), await works(second)], [false, true])
    await press(created.getByRole('button', { name: 'Done' }))
    await page.getByText(`${second.slice(0, 8)}…`).waitFor()
    assert.deepEqual(await findBarriers(page), [])

    await press(page.getByRole('button', { name: 'SCIM token actions' }))
    await press(page.getByRole('menuitem', { name: 'Revoke token' }))
    await press(
      page
        .getByRole('dialog', { name: 'Revoke the SCIM token?' })
        .getByRole('button', { name: 'Revoke token' }),
    )
    await page.getByRole('button', { name: 'Create token' }).waitFor()
    assert.equal(await works(second), false)
    assert.deepEqual(visitor.takeProblems(), [])
    assert.notEqual(tenant.workspaceId, '')
  })

  test('lets admins see the connection without changing it', async () => {
    const { page } = await openAs('admin', '/settings?section=scim')
    await page.getByText('An owner can create a token').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Create token' }).count(), 0)
  })

  test('marks members of a team whom the identity provider added', async () => {
    const { tenant, visitor, page } = await openAs('owner', '/settings?section=scim')
    const user = await insertMember(console.service, tenant, { name: 'Sam' })
    const team = await insertTeam(console.service, tenant, { name: 'Testers', members: [user] })
    await console.service.deps.db
      .updateTable('team_members')
      .set({ source: 'scim' })
      .where('team_id', '=', team)
      .execute()
    await visitor.open(`${console.url}/teams/${team}`)
    await page.getByText('Through SCIM').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await press(page.getByRole('checkbox', { name: 'Sam' }), 'Space')
    await press(page.getByRole('button', { name: /^Remove/ }))
    await page.getByText(/or it adds them again/).waitFor()
  })
})
