import { uuidV7 } from '../../src/lib/ids.ts'
import { insertRow, type Row, type Statement } from './seed.fixture.ts'
import { own, run, timestamp, stateTests } from './state-tests.fixture.ts'

const { accepts, rejects, rejectsRow } = stateTests()

const member = { ...own, user_id: 'u', role: 'qa' }
rejectsRow(
  'an application member who is not a workspace member',
  'foreign key',
  'application_members',
  member,
  { user_id: 'stranger' },
)
accepts('removes a member from all applications when they leave the workspace', [
  insertRow('application_members', member),
  run(`delete from workspace_members where user_id = 'u'`),
  run(`select 1 / (count(*) = 0)::int from application_members`),
])
const team = { id: 't', workspace_id: 'w', name: 'Testers' }
const inTeam = { team_id: 't', workspace_id: 'w' }
const second = { ...team, id: 't2', name: 'TESTERS' }
rejects(
  'a second team whose name differs only in case',
  'unique',
  [insertRow('teams', team), insertRow('teams', { ...second, workspace_id: 'v' })],
  [insertRow('teams', team), insertRow('teams', second)],
)
accepts('removes a person who leaves the workspace from all teams', [
  insertRow('teams', team),
  insertRow('team_members', { ...inTeam, user_id: 'u' }),
  run(`delete from workspace_members where user_id = 'u'`),
  run(`select 1 / (count(*) = 0)::int from team_members`),
])
rejects(
  'a team member who is not a workspace member',
  'foreign key',
  [insertRow('teams', team), insertRow('team_members', { ...inTeam, user_id: 'u' })],
  [insertRow('teams', team), insertRow('team_members', { ...inTeam, user_id: 'stranger' })],
)
rejects(
  'a role of a team in an application of another workspace',
  'foreign key',
  [insertRow('teams', team), insertRow('team_applications', { ...inTeam, application_id: 'a', role: 'qa' })],
  [insertRow('teams', team), insertRow('team_applications', { ...inTeam, application_id: 'c', role: 'qa' })],
)
rejectsRow(
  'a second user whose email address differs only in case',
  'unique',
  'users',
  { id: 'x', email: 'x@x.org' },
  { email: 'U@example.org' },
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
rejectsRow('an application key without an application', 'check', 'api_keys', key, { kind: 'application' })
rejectsRow('a workspace key with an application', 'check', 'api_keys', key, { application_id: 'a' })
rejectsRow('an API key for an application of another workspace', 'foreign key', 'api_keys', key, {
  kind: 'application',
  application_id: 'c',
})
rejectsRow('an API key that is not stored as a SHA-256 hash', 'check', 'api_keys', key, {
  key_sha256: Buffer.from('qsw_secret'),
})
const tokenKey = {
  ...key,
  kind: 'application',
  application_id: 'a',
  expires_at: timestamp,
  token_sha256: Buffer.alloc(32),
  trusted_publisher_ids: [uuidV7()],
}
rejectsRow('a token-exchange key that never expires', 'check', 'api_keys', tokenKey, {
  expires_at: null,
})
rejectsRow('a token-exchange key without a trusted publisher', 'check', 'api_keys', tokenKey, {
  trusted_publisher_ids: null,
})
rejectsRow('a token-exchange key with an empty list of trusted publishers', 'check', 'api_keys', tokenKey, {
  trusted_publisher_ids: [],
})
rejectsRow('a workspace key created by token exchange', 'check', 'api_keys', tokenKey, {
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
rejectsRow('a trusted publisher without a claim rule', 'check', 'trusted_publishers', publisher, {
  claims: '{}',
})
rejectsRow('a trusted publisher without a scope', 'check', 'trusted_publishers', publisher, { scopes: [] })
const invitation = { workspace_id: 'w', email: 'n@x.org', role: 'member', expires_at: timestamp }
const invite = (change: Row = {}): Statement =>
  insertRow('invitations', {
    id: uuidV7(),
    token_sha256: Buffer.from(uuidV7().slice(0, 32)),
    ...invitation,
    ...change,
  })
rejects(
  'a second open invitation whose email address differs only in case',
  'unique',
  [invite({ revoked_at: timestamp }), invite()],
  [invite({ email: 'N@x.org' }), invite()],
)
const response = {
  caller_id: 'k',
  key: 'once',
  request_sha256: Buffer.alloc(32),
  status: 201,
  sealed_response: Buffer.alloc(16),
}
rejectsRow('an idempotency key with an incomplete stored response', 'check', 'idempotency_keys', response, {
  sealed_response: null,
})

// Applications
const stream = { id: 's9', application_id: 'a', name: 'beta', retention_days: 1 }
rejectsRow('a second stream whose name differs only in case', 'unique', 'streams', stream, {
  name: 'Default',
})
rejectsRow('a retention period of zero days', 'check', 'streams', stream, { retention_days: 0 })
const label = { id: 'l9', workspace_id: 'w', application_id: 'a', name: 'x', color: '#00ff00' }
rejectsRow('a label whose application is in another workspace', 'foreign key', 'labels', label, {
  application_id: 'c',
})
rejectsRow('a second label at the same level whose name differs only in case', 'unique', 'labels', label, {
  name: 'OF-A',
})
rejects(
  'the deletion of a stream that contains builds in the trash',
  'foreign key',
  [run(`delete from streams where id = 's2'`)],
  [run(`update builds set deleted_at = now()`), run(`delete from streams where id = 's'`)],
)
const moving = { ...stream, moving_to: 's', moved_by: '{}' }
rejectsRow('a move of builds to a stream of another application', 'foreign key', 'streams', moving, {
  moving_to: 'sb',
})
rejectsRow('a move of builds to the same stream', 'check', 'streams', moving, {
  moving_to: 's9',
})
rejectsRow('a move of builds without an actor', 'check', 'streams', moving, { moved_by: null })
rejects(
  'the deletion of a stream while builds are being moved to it',
  'foreign key',
  [run(`delete from streams where id = 's2'`)],
  [insertRow('streams', { ...moving, moving_to: 's2' }), run(`delete from streams where id = 's2'`)],
)
accepts('allows a new stream to reuse the name of a stream whose builds are being moved', [
  insertRow('streams', moving),
  insertRow('streams', { ...stream, id: 's10' }),
])
accepts('deletes an application together with its streams and builds', [
  insertRow('streams', moving),
  run(`delete from applications where id = 'a'`),
  run(`select 1 / (count(*) = 0)::int from builds where application_id = 'a'`),
])
