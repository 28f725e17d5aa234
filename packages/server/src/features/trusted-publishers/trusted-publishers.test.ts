import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const github = 'https://token.actions.githubusercontent.com'
const rule = (fields: object = {}) => ({
  name: 'Release',
  issuer: github,
  claims: { repository_id: '42', ref: 'refs/heads/main' },
  scopes: ['builds:create'],
  ...fields,
})
const home = ({ applicationId } = tenant) => `/applications/${applicationId}/trusted-publishers`
const send = (method: string, path = '', body?: unknown, key = tenant.workspaceKey) =>
  service.call(method, `${home()}${path}`, { key, body })

async function createRule(fields: object = {}): Promise<string> {
  const { status, body, text } = await send('POST', '', rule(fields))
  assert.equal(status, 201, text)
  return body.data.id
}

test('creates, gets, lists, updates and deletes a trusted publisher and audits each change', async () => {
  const created = await send('POST', '', rule({ name: ' Release ' }))
  const { id, created_at, updated_at, created_by, ...attributes } = created.body.data
  assert.ok(created_at && updated_at && created_by)
  assert.deepEqual(attributes, {
    name: 'Release',
    issuer: github,
    audience: service.url,
    claims: { repository_id: '42', ref: 'refs/heads/main' },
    scopes: ['builds:create'],
    application_id: tenant.applicationId,
    expires_at: null,
    warnings: [],
  })
  assert.equal((await auditEntry(service, id)).action, 'trusted_publisher.created')
  assert.deepEqual((await send('GET', `/${id}`)).body.data, created.body.data)
  assert.deepEqual((await send('GET')).body.data, [created.body.data])

  const claims = { repository_id: ['42', '43'] }
  const changed = await send('PATCH', `/${id}`, { claims, audience: 'quayside' })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual([changed.body.data.claims, changed.body.data.audience], [claims, 'quayside'])
  const entry = await auditEntry(service, id)
  assert.equal(entry.action, 'trusted_publisher.updated')
  assert.deepEqual((entry.before as { claims: object }).claims, attributes.claims)
  assert.deepEqual((entry.after as { claims: object }).claims, claims)

  assert.equal((await send('DELETE', `/${id}`)).status, 200)
  assert.equal((await send('GET', `/${id}`)).status, 404)
  assert.equal((await auditEntry(service, id)).action, 'trusted_publisher.deleted')
  assert.deepEqual((await send('GET')).body.data, [])
})

for (const [description, fields, field] of [
  ['no claims', { claims: {} }, 'claims'],
  [
    '21 claims',
    { claims: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`c${n}`, 'x'])) },
    'claims',
  ],
  ['a claim pattern that matches anything', { claims: { repository_id: '42', ref: '*' } }, 'claims.ref'],
  ['a `sub` pattern that matches anything', { claims: { sub: '*' } }, 'claims.sub'],
  ['a list with a pattern that matches anything', { claims: { sub: ['repo:a/b:*', '**'] } }, 'claims.sub'],
  ['an empty list of patterns', { claims: { repository_id: [] } }, 'claims.repository_id'],
  ['an empty pattern', { claims: { repository_id: '' } }, 'claims.repository_id'],
  ['a number as a pattern', { claims: { repository_id: 42 } }, 'claims.repository_id'],
  ['a NUL character in a claim name', { claims: { 'a\0': 'x', repository_id: '42' } }, 'claims.a\0'],
  ['nine wildcards in one pattern', { claims: { repository_id: '42', ref: 'a*'.repeat(9) } }, 'claims.ref'],
  ['an `iss` claim', { claims: { iss: github, repository_id: '42' } }, 'claims.iss'],
  ['an `aud` claim', { claims: { aud: 'x', repository_id: '42' } }, 'claims.aud'],
  ['GitHub claims that do not specify a repository', { claims: { ref: 'refs/heads/main' } }, 'claims'],
  ['a wildcard as the owner of a GitHub repository', { claims: { repository: '*/app' } }, 'claims'],
  ['a GitHub `sub` that matches any owner', { claims: { sub: 'repo:*:ref:refs/heads/main' } }, 'claims'],
  ['a GitHub `sub` that contains only a prefix of the owner', { claims: { sub: 'repo:acme*' } }, 'claims'],
  [
    'a list with a GitHub `sub` that matches any owner',
    { claims: { sub: ['repo:a/b:*', '*:main'] } },
    'claims',
  ],
  [
    'GitHub Enterprise Cloud claims that do not specify a repository',
    { issuer: 'https://token.actions.acme.ghe.com', claims: { ref: 'x' } },
    'claims',
  ],
  [
    'GitLab.com claims that do not specify a project',
    { issuer: 'https://gitlab.com', claims: { ref: 'main' } },
    'claims',
  ],
  [
    'a GitLab.com `sub` that matches any group',
    { issuer: 'https://gitlab.com', claims: { sub: 'project_path:*' } },
    'claims',
  ],
  [
    'Buildkite claims that do not specify an organization',
    { issuer: 'https://agent.buildkite.com', claims: { build_branch: 'main' } },
    'claims',
  ],
  ['an issuer that uses HTTP', { issuer: 'http://issuer.example.com' }, 'issuer'],
  ['an issuer with a query string', { issuer: 'https://issuer.example.com/?a' }, 'issuer'],
  ['an issuer URL that contains a password', { issuer: 'https://a:b@issuer.example.com' }, 'issuer'],
  ['an issuer that is not a URL', { issuer: 'issuer' }, 'issuer'],
  ['a file URL as the issuer', { issuer: 'file:///etc/passwd' }, 'issuer'],
  ['an issuer at a private IP address', { issuer: 'https://10.0.0.1' }, 'issuer'],
  ['an issuer at a private IP address in hexadecimal notation', { issuer: 'https://0xa.1' }, 'issuer'],
  ['an issuer at an IPv4-mapped IPv6 address', { issuer: 'https://[::ffff:169.254.169.254]' }, 'issuer'],
  ['a workspace-only scope', { scopes: ['portals:read'] }, 'scopes.0'],
  ['no scopes', { scopes: [] }, 'scopes'],
  ['a blank audience', { audience: ' ' }, 'audience'],
] as [string, object, string][]) {
  test(`rejects a request to create or update a trusted publisher with ${description}`, async () => {
    const id = await createRule()
    for (const response of [await send('POST', '', rule(fields)), await send('PATCH', `/${id}`, fields)]) {
      assert.equal(response.status, 422, response.text)
      assert.ok(response.body.errors[field], response.text)
    }
    await send('DELETE', `/${id}`)
  })
}

for (const [description, fields, warning] of [
  ['a repository name without an ID', { claims: { repository: 'acme/app' } }, /require repository_id/],
  ['an owner name without an ID', { claims: { repository_owner: 'acme' } }, /require repository_owner_id/],
  [
    'a `sub` with names but no IDs',
    { claims: { sub: 'repo:acme/app:*' } },
    /In addition to sub, require repository_id/,
  ],
  ['a `sub` with names and IDs', { claims: { sub: 'repo:acme@1/app@2:*' } }, undefined],
  ['a repository name with an ID', { claims: { repository: 'acme/app', repository_id: '42' } }, undefined],
  [
    'a GitLab project path without an ID',
    { issuer: 'https://gitlab.com', claims: { project_path: 'a/b' } },
    /require project_id/,
  ],
  ['a self-hosted issuer', { issuer: 'https://gitlab.example.com', claims: { ref: 'main' } }, undefined],
] as [string, object, RegExp | undefined][]) {
  test(`returns ${warning === undefined ? 'no warning' : 'a warning'} for ${description}`, async () => {
    const { status, body, text } = await send('POST', '', rule(fields))
    assert.equal(status, 201, text)
    if (warning === undefined) assert.deepEqual(body.data.warnings, [])
    else assert.match(body.data.warnings.join(), warning)
    await send('DELETE', `/${body.data.id}`)
  })
}

test('does not let a key grant a scope that it lacks or change which tokens receive that scope', async () => {
  const id = await createRule({ scopes: ['releases:write'] })
  const weak = await service.key(tenant.workspaceId, null, ['api_keys:write', 'builds:create'])
  const missing = /^This action requires 'releases:\w+' scope.$/
  for (const [method, path, body, expected] of [
    ['POST', '', rule({ scopes: ['releases:write'] }), 403],
    ['POST', '', rule({ scopes: ['builds:create'] }), 201],
    ['PATCH', `/${id}`, { claims: { repository_id: '666' } }, 403],
    ['PATCH', `/${id}`, { audience: 'mine' }, 403],
    ['PATCH', `/${id}`, { issuer: 'https://mine.example.com' }, 403],
    ['PATCH', `/${id}`, { scopes: ['releases:write'] }, 403],
    ['PATCH', `/${id}`, { name: 'Renamed' }, 200],
    ['PATCH', `/${id}`, { scopes: ['builds:create'] }, 200],
    ['PATCH', `/${id}`, { claims: { repository_id: '43' } }, 200],
  ] as [string, string, unknown, number][]) {
    const response = await send(method, path, body, weak)
    assert.equal(response.status, expected, `${method} ${JSON.stringify(body)} ${response.text}`)
    if (expected === 403) assert.match(response.body.message, missing)
  }
})

test('limits an application to 20 trusted publishers, even under concurrent requests', async () => {
  const other = await service.tenant()
  const responses = await Promise.all(
    Array.from({ length: 25 }, () =>
      service.call('POST', home(other), { key: other.workspaceKey, body: rule() }),
    ),
  )
  const count = (expected: number) => responses.filter(({ status }) => status === expected).length
  assert.deepEqual([count(201), count(409)], [20, 5])
})
