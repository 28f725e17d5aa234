import { uuidV7 } from '../../src/lib/ids.ts'
import { asRow, type Row, type Statement } from './seed.fixture.ts'
import { own, run, week, stateTests } from './state-tests.fixture.ts'

const { accepts, refuses, refusesRow } = stateTests()

const member = { ...own, user_id: 'u', role: 'qa' }
refusesRow(
  'a member of an application who is not in its workspace',
  'foreign key',
  'application_members',
  member,
  {
    user_id: 'stranger',
  },
)
accepts('who leaves the workspace has left its applications', [
  asRow('application_members', member),
  run(`delete from workspace_members where user_id = 'u'`),
  run(`select 1 / (count(*) = 0)::int from application_members`),
])
refusesRow(
  'a second user of the same address in another case',
  'unique',
  'users',
  { id: 'x', name: 'X', email: 'x@x.org' },
  {
    email: 'U@example.org',
  },
)
const key = {
  id: 'k',
  workspace_id: 'w',
  kind: 'workspace',
  name: 'K',
  prefix: 'qsw_abcd',
  key_sha256: Buffer.alloc(32),
  scopes: [],
}
refusesRow('an application key without an application', 'check', 'api_keys', key, { kind: 'application' })
refusesRow('a workspace key of one application', 'check', 'api_keys', key, { application_id: 'a' })
refusesRow('a key to an application of another workspace', 'foreign key', 'api_keys', key, {
  kind: 'application',
  application_id: 'c',
})
refusesRow('a key stored as anything but a SHA-256', 'check', 'api_keys', key, {
  key_sha256: Buffer.from('qsw_secret'),
})
const tokenKey = {
  ...key,
  kind: 'application',
  application_id: 'a',
  expires_at: week,
  token_sha256: Buffer.alloc(32),
  trusted_publisher_ids: [uuidV7()],
}
refusesRow('a key for a token that never expires', 'check', 'api_keys', tokenKey, { expires_at: null })
refusesRow('a key for a token of no rule', 'check', 'api_keys', tokenKey, { trusted_publisher_ids: null })
refusesRow('a key for a token of an empty list of rules', 'check', 'api_keys', tokenKey, {
  trusted_publisher_ids: [],
})
refusesRow('a workspace key for a token', 'check', 'api_keys', tokenKey, {
  kind: 'workspace',
  application_id: null,
})
const publisher = {
  id: uuidV7(),
  ...own,
  name: 'P',
  issuer: 'https://x.org',
  audience: 'q',
  claims: '{"sub":"s"}',
  scopes: ['builds:create'],
}
refusesRow('a trusted publisher without a claim rule', 'check', 'trusted_publishers', publisher, {
  claims: '{}',
})
refusesRow('a trusted publisher without a scope', 'check', 'trusted_publishers', publisher, { scopes: [] })
const invitation = { workspace_id: 'w', email: 'n@x.org', role: 'member', expires_at: week }
const invite = (change: Row = {}): Statement =>
  asRow('invitations', {
    id: uuidV7(),
    token_sha256: Buffer.from(uuidV7().slice(0, 32)),
    ...invitation,
    ...change,
  })
refuses(
  'a second open invitation of one address',
  'unique',
  [invite({ revoked_at: week }), invite()],
  [invite({ email: 'N@x.org' }), invite()],
)
const answered = {
  caller_id: 'k',
  key: 'once',
  request_sha256: Buffer.alloc(32),
  status: 201,
  answer_sealed: Buffer.alloc(16),
}
refusesRow('half an answer to an idempotency key', 'check', 'idempotency_keys', answered, {
  answer_sealed: null,
})

// applications
const stream = { id: 's9', application_id: 'a', name: 'beta', retention_days: 1 }
refusesRow('a second stream of the same name in another case', 'unique', 'streams', stream, {
  name: 'Default',
})
refusesRow('a retention of no days', 'check', 'streams', stream, { retention_days: 0 })
const label = { id: 'l9', workspace_id: 'w', application_id: 'a', name: 'x', color: '#00ff00' }
refusesRow('a label of an application in another workspace', 'foreign key', 'labels', label, {
  application_id: 'c',
})
refusesRow('a second label of the same name at one level', 'unique', 'labels', label, { name: 'OF-A' })
refuses(
  'the end of a stream that holds a build',
  'foreign key',
  [run(`delete from streams where id = 's2'`)],
  [run(`update builds set deleted_at = now()`), run(`delete from streams where id = 's'`)],
)
const moving = { ...stream, moving_to: 's', moved_by: '{}' }
refusesRow('a stream on its way to one of another application', 'foreign key', 'streams', moving, {
  moving_to: 'sb',
})
refusesRow('a stream on its way to itself', 'check', 'streams', moving, { moving_to: 's9' })
refusesRow('a stream on its way for nobody', 'check', 'streams', moving, { moved_by: null })
refuses(
  'the end of a stream that another is on its way to',
  'foreign key',
  [run(`delete from streams where id = 's2'`)],
  [asRow('streams', { ...moving, moving_to: 's2' }), run(`delete from streams where id = 's2'`)],
)
accepts('the name of a stream on its way is free', [
  asRow('streams', moving),
  asRow('streams', { ...stream, id: 's10' }),
])
accepts('the end of an application takes all that is in it along', [
  asRow('streams', moving),
  run(`delete from applications where id = 'a'`),
  run(`select 1 / (count(*) = 0)::int from builds where application_id = 'a'`),
])
