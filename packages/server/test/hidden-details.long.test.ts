import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { workspaceScopes, applicationScopes, type Scope } from '../src/http/endpoint/scopes.ts'
import { routes } from '../src/routes.ts'
import { startService, type Service } from './harness.ts'
import { fillPath, idFor, pathNames } from './sample.ts'
import { createFixture, type Fixture } from './world.ts'

let service: Service
let own: Fixture

before(async () => {
  service = await startService()
  own = await createFixture(service)
  const link = `/public/group-links/${own.ids['group_link_id']}/${own.ids['group_link_token']}`
  const { status, text } = await service.call('POST', `${link}/downloads`, { key: null, body: {} })
  assert.equal(status, 200, text)
})
after(() => service.close())

/** Calls every read endpoint and returns the response bodies by path. */
async function readEverything(key: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const endpoint of Object.values(routes)) {
    if (endpoint.method !== 'GET' || endpoint.scope === 'public') continue
    const names = pathNames(endpoint)
    const values = Object.fromEntries(names.map((name) => [name, idFor(own, endpoint, name)]))
    const query = endpoint.query?.properties['per_page'] === undefined ? '' : '?per_page=100'
    const { text } = await service.call('GET', `${fillPath(endpoint, values)}${query}`, { key })
    texts.set(endpoint.path, text)
  }
  return texts
}

const pathsWith = (texts: Map<string, string>, secret: string) =>
  [...texts].filter(([, text]) => text.includes(secret)).map(([path]) => path)

const tester = () => `tester.${own.applicationId}@example.com`
const invitee = () => `invited.${own.applicationId}@example.com`

test('shows the email addresses of testers and invitees only to keys with the `members:read` scope', async () => {
  const isOther = (scope: Scope) => !scope.startsWith('members:')
  const shown = await readEverything(own.workspaceKey)
  assert.deepEqual(pathsWith(shown, tester()), [
    '/applications/:application_id/builds/:build_id/downloads',
    '/applications/:application_id/downloads',
    '/applications/:application_id/downloads/export',
    '/distribution-groups/:distribution_group_id/members',
    '/distribution-groups/:distribution_group_id/downloads',
    '/workspace/audit-log',
    '/workspace/outbox',
  ])
  assert.ok(pathsWith(shown, invitee()).includes('/workspace/invitations'))
  for (const key of [
    await service.key(own.workspaceId, null, workspaceScopes.filter(isOther)),
    await service.key(own.workspaceId, own.applicationId, applicationScopes.filter(isOther)),
  ]) {
    const texts = await readEverything(key)
    for (const secret of [tester(), invitee()]) assert.deepEqual(pathsWith(texts, secret), [])
  }
})

test('hides secret links, webhook URLs and trusted claims from a key with only `workspace:read` and `members:write`', async () => {
  const secrets = [
    own.ids['group_link_token']!,
    own.ids['token']!,
    'https://example.com/hook',
    `pipeline of ${own.applicationId}`,
  ]
  const shown = await readEverything(own.workspaceKey)
  for (const secret of secrets) assert.notDeepEqual(pathsWith(shown, secret), [], secret)
  const texts = await readEverything(
    await service.key(own.workspaceId, null, ['workspace:read', 'members:write']),
  )
  for (const secret of secrets) assert.deepEqual(pathsWith(texts, secret), [], secret)
  assert.match(texts.get('/workspace/audit-log') ?? '', /"url":"\[hidden\]"/)
  assert.match(texts.get('/workspace/outbox') ?? '', /group-links\/[0-9a-f-]+\/\[hidden\]/)
})

test('does not reveal email addresses through sorting or searching group members without `members:read`', async () => {
  const path = `/distribution-groups/${own.ids['distribution_group_id']}/members`
  const key = await service.key(own.workspaceId, null, ['distribution_groups:read'])
  for (const query of ['?search=tester', '?sort_by=email']) {
    const { status, body } = await service.call('GET', `${path}${query}`, { key })
    assert.deepEqual([status, body.message], [403, "This action requires 'members:read' scope."])
  }
  const { body } = await service.call('GET', path, { key })
  assert.deepEqual([body.data.length, body.data[0].email], [1, null])
})
