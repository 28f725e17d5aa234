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
const home = (of = tenant) => `/applications/${of.applicationId}/trusted-publishers`
const send = (method: string, path = '', body?: unknown, key = tenant.workspaceKey) =>
  service.call(method, `${home()}${path}`, { key, body })

async function created(fields: object = {}): Promise<string> {
  const { status, body, text } = await send('POST', '', rule(fields))
  assert.equal(status, 201, text)
  return body.data.id
}

test('a rule made, got, listed, changed, deleted, each with its audit entry', async () => {
  const made = await send('POST', '', rule({ name: ' Release ' }))
  const { id, created_at, updated_at, ...shown } = made.body.data
  assert.ok(created_at && updated_at)
  assert.deepEqual(shown, {
    name: 'Release',
    issuer: github,
    audience: service.url,
    claims: { repository_id: '42', ref: 'refs/heads/main' },
    scopes: ['builds:create'],
    application_id: tenant.applicationId,
    warnings: [],
  })
  assert.equal((await auditEntry(service, id)).action, 'trusted_publisher.created')
  assert.deepEqual((await send('GET', `/${id}`)).body.data, made.body.data)
  assert.deepEqual((await send('GET')).body.data, [made.body.data])

  const claims = { repository_id: ['42', '43'] }
  const changed = await send('PATCH', `/${id}`, { claims, audience: 'quayside' })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual([changed.body.data.claims, changed.body.data.audience], [claims, 'quayside'])
  const entry = await auditEntry(service, id)
  assert.equal(entry.action, 'trusted_publisher.updated')
  assert.deepEqual((entry.before as { claims: object }).claims, shown.claims)
  assert.deepEqual((entry.after as { claims: object }).claims, claims)

  assert.equal((await send('DELETE', `/${id}`)).status, 200)
  assert.equal((await send('GET', `/${id}`)).status, 404)
  assert.equal((await auditEntry(service, id)).action, 'trusted_publisher.deleted')
  assert.deepEqual((await send('GET')).body.data, [])
})

for (const [what, fields, field] of [
  ['no claim', { claims: {} }, 'claims'],
  [
    '21 claims',
    { claims: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`c${n}`, 'x'])) },
    'claims',
  ],
  ['a claim that takes anything', { claims: { repository_id: '42', ref: '*' } }, 'claims.ref'],
  ['a sub that takes anything', { claims: { sub: '*' } }, 'claims.sub'],
  ['a list in which one takes anything', { claims: { sub: ['repo:a/b:*', '**'] } }, 'claims.sub'],
  ['an empty list', { claims: { repository_id: [] } }, 'claims.repository_id'],
  ['an empty text', { claims: { repository_id: '' } }, 'claims.repository_id'],
  ['a number', { claims: { repository_id: 42 } }, 'claims.repository_id'],
  ['a name of a claim with a NUL', { claims: { 'a\0': 'x', repository_id: '42' } }, 'claims.a\0'],
  ['nine stars', { claims: { repository_id: '42', ref: 'a*'.repeat(9) } }, 'claims.ref'],
  ['the claim iss', { claims: { iss: github, repository_id: '42' } }, 'claims.iss'],
  ['the claim aud', { claims: { aud: 'x', repository_id: '42' } }, 'claims.aud'],
  ['GitHub without a repository', { claims: { ref: 'refs/heads/main' } }, 'claims'],
  ['GitHub with any repository of that name', { claims: { repository: '*/app' } }, 'claims'],
  ['GitHub with a sub of any owner', { claims: { sub: 'repo:*:ref:refs/heads/main' } }, 'claims'],
  ['GitHub with owners of that beginning', { claims: { sub: 'repo:acme*' } }, 'claims'],
  ['GitHub with one of two subs of any owner', { claims: { sub: ['repo:a/b:*', '*:main'] } }, 'claims'],
  [
    'GitHub of a company, without a repository',
    { issuer: 'https://token.actions.acme.ghe.com', claims: { ref: 'x' } },
    'claims',
  ],
  ['gitlab.com without a project', { issuer: 'https://gitlab.com', claims: { ref: 'main' } }, 'claims'],
  [
    'gitlab.com with a sub of any group',
    { issuer: 'https://gitlab.com', claims: { sub: 'project_path:*' } },
    'claims',
  ],
  [
    'Buildkite without an organisation',
    { issuer: 'https://agent.buildkite.com', claims: { build_branch: 'main' } },
    'claims',
  ],
  ['http', { issuer: 'http://issuer.example.com' }, 'issuer'],
  ['a query', { issuer: 'https://issuer.example.com/?a' }, 'issuer'],
  ['a password', { issuer: 'https://a:b@issuer.example.com' }, 'issuer'],
  ['no URL', { issuer: 'issuer' }, 'issuer'],
  ['a file', { issuer: 'file:///etc/passwd' }, 'issuer'],
  ['a private address', { issuer: 'https://10.0.0.1' }, 'issuer'],
  ['a private address in another notation', { issuer: 'https://0xa.1' }, 'issuer'],
  ['a mapped address', { issuer: 'https://[::ffff:169.254.169.254]' }, 'issuer'],
  ['a scope of workspace keys', { scopes: ['portals:read'] }, 'scopes.0'],
  ['no scope', { scopes: [] }, 'scopes'],
  ['a blank audience', { audience: ' ' }, 'audience'],
] as [string, object, string][]) {
  test(`a rule with ${what}, 422 that names it, made or changed`, async () => {
    const id = await created()
    for (const answer of [await send('POST', '', rule(fields)), await send('PATCH', `/${id}`, fields)]) {
      assert.equal(answer.status, 422, answer.text)
      assert.ok(answer.body.errors[field], answer.text)
    }
    await send('DELETE', `/${id}`)
  })
}

for (const [what, fields, warned] of [
  ['a repository by its name', { claims: { repository: 'acme/app' } }, /ask for repository_id/],
  ['an owner by its name', { claims: { repository_owner: 'acme' } }, /ask for repository_owner_id/],
  ['a sub with names', { claims: { sub: 'repo:acme/app:*' } }, /besides sub, ask for repository_id/],
  ['a sub with names and ids', { claims: { sub: 'repo:acme@1/app@2:*' } }, undefined],
  ['a name and an id', { claims: { repository: 'acme/app', repository_id: '42' } }, undefined],
  [
    'a path of GitLab',
    { issuer: 'https://gitlab.com', claims: { project_path: 'a/b' } },
    /ask for project_id/,
  ],
  ['an issuer of your own', { issuer: 'https://gitlab.example.com', claims: { ref: 'main' } }, undefined],
] as [string, object, RegExp | undefined][]) {
  test(`a rule with ${what}, made, ${warned === undefined ? 'no warning' : 'with a warning'}`, async () => {
    const { status, body, text } = await send('POST', '', rule(fields))
    assert.equal(status, 201, text)
    if (warned === undefined) assert.deepEqual(body.data.warnings, [])
    else assert.match(body.data.warnings.join(), warned)
    await send('DELETE', `/${body.data.id}`)
  })
}

test('a key cannot give scopes it has not, nor say whom a rule trusts that gives them', async () => {
  const id = await created({ scopes: ['releases:write'] })
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
    const answer = await send(method, path, body, weak)
    assert.equal(answer.status, expected, `${method} ${JSON.stringify(body)} ${answer.text}`)
    if (expected === 403) assert.match(answer.body.message, missing)
  }
})

test('the twenty-first rule, 409 also when many ask at once', async () => {
  const other = await service.tenant()
  const answers = await Promise.all(
    Array.from({ length: 25 }, () =>
      service.call('POST', home(other), { key: other.workspaceKey, body: rule() }),
    ),
  )
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
  assert.deepEqual([count(201), count(409)], [20, 5])
})
