import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { insertMember, insertTeam } from '../../../../test/people.ts'
import { connectScim } from '../../../../test/scim-client.ts'
import { startStopwatch } from '../../../../test/stopwatch.ts'
import { until } from '../../../../test/until.ts'
import { createWatching, received } from '../../../../test/watching.ts'

describe('access through a team ends within a second', () => {
  const watching = createWatching()
  const { call, opening, base, upload } = watching

  type Changed = { team: string; user: string }
  const changes: Record<string, (changed: Changed) => Promise<unknown>> = {
    'the team is deleted': ({ team }) => call('DELETE', `/workspace/teams/${team}`),
    'the person leaves the team': ({ team, user }) =>
      call('POST', `/workspace/teams/${team}/members/remove`, { user_ids: [user] }),
    'the team loses the application': ({ team }) => call('DELETE', `${base()}/teams/${team}`),
    'the identity provider deactivates the person': async ({ user }) => {
      const scim = await connectScim(watching.service(), watching.tenant())
      return scim.patch(`/Users/${user}`, { op: 'Replace', path: 'active', value: 'False' })
    },
    'the identity provider removes the person from the group': async ({ team, user }) => {
      const scim = await connectScim(watching.service(), watching.tenant())
      return scim.patch(`/Groups/${team}`, { op: 'Remove', path: `members[value eq "${user}"]` })
    },
    'the person leaves the workspace': ({ user }) => call('DELETE', `/workspace/members/${user}`),
  }

  for (const [name, change] of Object.entries(changes))
    test(`for requests and event streams when ${name}`, async () => {
      const service = watching.service()
      const user = await insertMember(service, watching.tenant())
      const team = await insertTeam(service, watching.tenant(), { members: [user], role: 'qa' })
      const key = await service.signIn(user)
      const streams = await Promise.all([opening({ key }), opening({ key, path: '/workspace/events' })])
      const build = await upload()
      for (const stream of streams) await received(stream, build.id, 'created')
      assert.equal((await service.call('GET', base(), { key })).status, 200)
      await change({ team, user })
      using stopwatch = startStopwatch()
      const [own] = streams
      await own.until(own.isClosed, 'end of the stream')
      assert.ok(stopwatch.elapsedMs() < 1_500)
      await Promise.all(streams.map((stream) => stream.until(stream.isClosed, 'end of the streams')))
      await until('the application is hidden', async () =>
        [403, 404].includes((await service.call('GET', base(), { key })).status),
      )
    })

  test('for uploads when the team gets a lower role, and starts when it gets a higher one', async () => {
    const service = watching.service()
    const user = await insertMember(service, watching.tenant())
    const team = await insertTeam(service, watching.tenant(), { members: [user], role: 'developer' })
    const key = await service.signIn(user)
    const create = async () => (await service.call('POST', `${base()}/releases`, { key, body: {} })).status
    assert.equal(await create(), 422)
    await call('PUT', `${base()}/teams/${team}`, { role: 'readonly' })
    await until('the role is lower', async () => (await create()) === 403)
    await call('PUT', `${base()}/teams/${team}`, { role: 'admin' })
    await until('the role is higher', async () => (await create()) === 422)
  })
})
