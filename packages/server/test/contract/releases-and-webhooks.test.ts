import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createEverything, ok, readEverything } from './everything.ts'
import {
  type Json,
  fieldTests,
  has,
  integer,
  is,
  nullOr,
  onlySingle,
  owners,
  shortId,
  text,
  times,
  timestamp,
  uuid,
} from './shapes.ts'

const all = await createEverything()
const read = await readEverything(all)
after(() => all.service.close())

fieldTests(read.releases[0], {
  '§2.12 release.id': { id: shortId },
  '§2.12 release.version': {
    version: is('4.5.6-rc.1'),
    version_short: is('4.5.6'),
    version_semantic_major: is(4),
    version_semantic_minor: is(5),
    version_semantic_patch: is(6),
    version_semantic_extra: is('rc.1'),
    version_semantic_meta: is(null),
  },
  '§2.12 release.title': { title: is('Spring') },
  '§2.12 release.build_count': { build_count: is(1) },
  '§2.12 release.created_at, updated_at': times,
})

test('returns the labels of a release (§2.12 release.labels)', () => {
  assert.deepEqual(
    read.releases[0].labels.map(({ name }: Json) => name),
    ['shared'],
  )
})

test('includes the notes only in the response for a single release (§2.12 release.notes)', () => {
  assert.equal(read.release.notes, '# Spring')
  onlySingle(['notes'], read.release, read.releases[0])
})

test('includes the builds only in the response for a single release (§2.12 release.builds)', () => {
  onlySingle(['builds'], read.release, read.releases[0])
  assert.deepEqual(
    read.release.builds.map(({ id }: Json) => id),
    [all.verified.build_id],
  )
  has({ platform: has({ identifier: is('android') }), ...times })(
    read.release.builds[0],
    'build of the release',
  )
})

test('includes application_id and workspace_id only in the response for a single release (§2.12 release.application_id, workspace_id)', () => {
  onlySingle(['application_id', 'workspace_id'], read.release, read.releases[0])
  has(owners)(read.release, 'release')
})

fieldTests(read.webhook, {
  '§2.13 webhook.id': { id: uuid },
  '§2.13 webhook.description': { description: is('to chat') },
  '§2.13 webhook.url': { url: is('https://example.com/hook') },
  '§2.13 webhook.event': { event: is('build.created.stream') },
  '§2.13 webhook.format': { format: is('json') },
  '§2.13 webhook.level': { level: is('application') },
  '§2.13 webhook.is_active': { is_active: is(true) },
  '§2.13 webhook.in_error_state': { in_error_state: is(false) },
  '§2.13 webhook.last_successful_request_at': { last_successful_request_at: nullOr(timestamp) },
  '§2.13 webhook.last_failed_request_at': { last_failed_request_at: nullOr(timestamp) },
  '§2.13 webhook.application_id, workspace_id': owners,
  '§2.13 webhook.created_at, updated_at': times,
})

test('reports whether a webhook has a secret but never returns the secret (§2.13 webhook.secret_configured)', async () => {
  assert.equal(read.webhook.secret_configured, true)
  assert.ok(!JSON.stringify([read.webhook, read.webhooks]).includes('a secret of 32'))
  const withoutSecret = await all.post(`${all.base}/webhooks`, {
    url: 'https://example.com/2',
    event: 'build.deleted',
  })
  assert.equal(withoutSecret.secret_configured, false)
})

test('returns the event, stream and label that a webhook subscribes to (§2.13 webhook.event_subscription)', async () => {
  const { event, stream, label } = read.webhook.event_subscription
  assert.deepEqual([event, stream.name, label], ['build.created.stream', 'nightlies', null])
  const body = { url: 'https://example.com/3', event: 'build.label.added', label: 'Signed' }
  const subscription = (await all.post(`${all.base}/webhooks`, body)).event_subscription
  has({ stream: is(null), label: has({ id: shortId, name: is('Signed'), color: text }) })(
    subscription,
    'subscription',
  )
})

test('includes the latest request only in the response for a single webhook (§2.13 webhook.latest_webhook_request)', async () => {
  onlySingle(['latest_webhook_request'], read.webhook, read.webhooks[0])
  assert.equal(read.webhook.latest_webhook_request.id, all.request.id)
})

fieldTests(read.request, {
  '§2.14 webhook request.id': { id: uuid },
  '§2.14 webhook request.event, url': {
    event: is('build.created.stream'),
    url: is('https://example.com/hook'),
  },
  '§2.14 webhook request.duration': { duration: nullOr((value) => assert.equal(typeof value, 'number')) },
  '§2.14 webhook request.request_headers': { request_headers: has({}) },
  '§2.14 webhook request.request_payload': {
    request_payload: has({ id: uuid, event: is('build.created.stream'), created: integer, data: has({}) }),
  },
  '§2.14 webhook request.response_code': { response_code: nullOr(integer) },
  '§2.14 webhook request.response_headers': { response_headers: nullOr(has({})) },
  '§2.14 webhook request.response_payload': { response_payload: nullOr(text) },
  '§2.14 webhook request.delivery_attempts': { delivery_attempts: integer },
  '§2.14 webhook request.created_at': { created_at: timestamp },
})

test('creates and lists distribution groups, portals and share links (§2.15 other resources)', async () => {
  const { base, verified } = all
  for (const [path, body] of [
    ['/distribution-groups', { name: 'Testers' }],
    ['/portals', { name: 'Public' }],
    [`${base}/builds/${verified.build_id}/share-links`, {}],
  ] as const) {
    const created = await all.post(path, body)
    const listed = ok(await all.service.call('GET', path, { key: all.key })).data
    assert.ok(
      listed.some(({ id }: Json) => id === created.id),
      path,
    )
  }
})
