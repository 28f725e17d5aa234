import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { insertMember, insertTeam } from '../../../../test/people.ts'
import { connectScim } from '../../../../test/scim-client.ts'

let service: Service
let tenant: Tenant
let scim: Awaited<ReturnType<typeof connectScim>>
let people: string[]

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  scim = await connectScim(service, tenant)
  people = await Promise.all(Array.from({ length: 4 }, () => insertMember(service, tenant)))
})
after(() => service.close())

const valuesOf = ({ members }: { members: { value: string }[] }) =>
  members.map(({ value }) => value).toSorted()

const createGroup = (displayName: string, members: readonly string[] = []) =>
  scim.succeed('POST', '/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName,
    externalId: `external ${displayName}`,
    members: members.map((value) => ({ value })),
  })

describe('a group', () => {
  test('is a team, which people can give roles', async () => {
    const [ada = '', bo = ''] = people
    const group = await createGroup('Testers', [ada, bo])
    assert.deepEqual(valuesOf(group), [ada, bo].toSorted())
    const team = await service.call('GET', `/workspace/teams/${group.id}`, { key: tenant.workspaceKey })
    assert.deepEqual([team.body.data.name, team.body.data.member_count], ['Testers', 2])
    const filter = encodeURIComponent(
      `displayName eq "testers" and externalId co "Test" and members eq "${ada}"`,
    )
    const list = await scim.succeed('GET', `/Groups?excludedAttributes=members&filter=${filter}`)
    assert.deepEqual(
      [list.totalResults, list.Resources[0].id, list.Resources[0].members],
      [1, group.id, undefined],
    )
    const taken = await scim.send('POST', '/Groups', { displayName: 'TESTERS' })
    assert.deepEqual([taken.status, taken.body.scimType], [409, 'uniqueness'])
    const renamed = await scim.patch(`/Groups/${group.id}`, {
      op: 'Replace',
      path: 'displayName',
      value: 'QA',
    })
    assert.equal(renamed.displayName, 'QA')
    assert.equal((await scim.send('DELETE', `/Groups/${group.id}`)).status, 204)
    assert.equal((await scim.send('GET', `/Groups/${group.id}`)).status, 404)
  })

  test('gets and loses members in every way that providers send', async () => {
    const [ada = '', bo = '', cy = '', dee = ''] = people
    const { id } = await createGroup('Changing', [ada])
    const path = `/Groups/${id}`
    const after = async (...operations: object[]) => valuesOf(await scim.patch(path, ...operations))
    assert.deepEqual(
      await after({ op: 'Add', path: 'members', value: [{ value: bo }, { value: cy }] }),
      [ada, bo, cy].toSorted(),
    )
    assert.deepEqual(await after({ op: 'Remove', path: `members[value eq "${bo}"]` }), [ada, cy].toSorted())
    assert.deepEqual(await after({ op: 'remove', path: 'members', value: [{ value: cy }] }), [ada])
    assert.deepEqual(await after({ op: 'replace', path: 'members', value: [{ value: dee }] }), [dee])
    assert.deepEqual(
      await after({ op: 'replace', value: { displayName: 'Changed', members: [{ value: ada }] } }),
      [ada],
    )
    assert.deepEqual(await after({ op: 'add', path: 'members', value: { value: ada } }), [ada])
    assert.deepEqual(await after({ op: 'remove', path: 'members' }), [])
    const kept = await scim.succeed('PUT', path, { displayName: 'Changed', members: [{ value: cy }] })
    assert.deepEqual(valuesOf(kept), [cy])
    assert.deepEqual(valuesOf(await scim.succeed('PUT', path, { displayName: 'Changed again' })), [cy])
  })

  test('takes back a person who is activated again, and keeps changes that were made before', async () => {
    const user = await scim.succeed('POST', '/Users', { userName: 'held@example.org' })
    const [stays, leaves, joins] = await Promise.all([
      createGroup('Stays', [user.id]),
      createGroup('Leaves', [user.id]),
      createGroup('Joins'),
    ])
    await scim.patch(`/Users/${user.id}`, { op: 'replace', path: 'active', value: false })
    assert.deepEqual(valuesOf(await scim.succeed('GET', `/Groups/${stays.id}`)), [user.id])
    const team = await service.call('GET', `/workspace/teams/${stays.id}`, { key: tenant.workspaceKey })
    assert.equal(team.body.data.member_count, 0)
    await scim.patch(`/Groups/${leaves.id}`, { op: 'remove', path: `members[value eq "${user.id}"]` })
    await scim.patch(`/Groups/${joins.id}`, { op: 'add', path: 'members', value: [{ value: user.id }] })
    await scim.patch(`/Users/${user.id}`, { op: 'replace', path: 'active', value: true })
    for (const [group, expected] of [
      [stays, [user.id]],
      [leaves, []],
      [joins, [user.id]],
    ] as const)
      assert.deepEqual(valuesOf(await scim.succeed('GET', `/Groups/${group.id}`)), expected)
    const members = await service.call('GET', `/workspace/teams/${joins.id}/members`, {
      key: tenant.workspaceKey,
    })
    assert.equal(members.body.data[0].source, 'scim')
  })

  test('accepts only people of the workspace', async () => {
    const other = await service.tenant()
    const stranger = await insertMember(service, other)
    const { id } = await createGroup('Own people')
    for (const value of [stranger, 'unknown', '', 7, null, { value: 'x' }]) {
      const refused = await scim.send('PATCH', `/Groups/${id}`, {
        Operations: [{ op: 'add', path: 'members', value: [{ value }] }],
      })
      assert.deepEqual([refused.status, refused.body.scimType], [400, 'invalidValue'], refused.text)
    }
    const team = await insertTeam(service, other)
    for (const method of ['GET', 'DELETE'])
      assert.equal((await scim.send(method, `/Groups/${team}`)).status, 404)
  })
})

test('groups never grant more than the roles of their teams', async () => {
  const roles = ['readonly', 'qa', 'developer', 'admin'] as const
  const [person = ''] = people
  const groups = await Promise.all(
    roles.map(async (role) => {
      const { id } = await createGroup(`Role ${role}`)
      await service.call('PUT', `/applications/${tenant.applicationId}/teams/${id}`, {
        key: tenant.workspaceKey,
        body: { role },
      })
      return { id: id as string, role }
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(3), fc.boolean()), { maxLength: 6 }), async (changes) => {
      for (const { id } of groups) await scim.patch(`/Groups/${id}`, { op: 'remove', path: 'members' })
      const joined = new Set<number>()
      for (const [index, isAdded] of changes) {
        const path = `/Groups/${groups[index]?.id}`
        if (isAdded) joined.add(index)
        else joined.delete(index)
        await scim.patch(
          path,
          isAdded
            ? { op: 'Add', path: 'members', value: [{ value: person }] }
            : { op: 'Remove', path: `members[value eq "${person}"]` },
        )
      }
      const effective = await service.deps.db
        .selectFrom('effective_application_roles')
        .select(['application_id', 'role'])
        .where('user_id', '=', person)
        .execute()
      const highest = roles[Math.max(-1, ...joined)]
      assert.deepEqual(
        effective,
        highest === undefined ? [] : [{ application_id: tenant.applicationId, role: highest }],
      )
    }),
    { numRuns: 10 },
  )
})
