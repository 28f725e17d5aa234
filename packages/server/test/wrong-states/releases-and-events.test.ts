import { uuidV7 } from '../../src/lib/ids.ts'
import { insertRow, releaseRow } from './seed.fixture.ts'
import { own, timestamp, stateTests } from './state-tests.fixture.ts'

const { rejects, rejectsRow } = stateTests()

const inRelease = { release_id: 'r', build_id: 'b1', application_id: 'a' }
rejectsRow(
  'a release that contains a build of another application',
  'foreign key',
  'release_builds',
  inRelease,
  { build_id: 'bb' },
)
const draft = { ...releaseRow, id: 'draft', status: 'draft', published_at: null }
rejectsRow('a release with an unknown status', 'check', 'releases', draft, { status: 'secret' })
rejectsRow('a published release without a publication time', 'check', 'releases', draft, {
  status: 'published',
})
rejectsRow('a draft that has been published', 'check', 'releases', draft, { published_at: timestamp })
rejectsRow('a scheduled release without a time', 'check', 'releases', draft, { status: 'scheduled' })
rejectsRow('a draft with a scheduled time', 'check', 'releases', draft, { scheduled_for: timestamp })
rejectsRow('a withdrawn release without a withdrawal time', 'check', 'releases', draft, {
  status: 'withdrawn',
})
rejectsRow('a draft with a withdrawal time', 'check', 'releases', draft, { withdrawn_at: timestamp })
const link = { id: 'link', ...own, build_id: 'b1', max_downloads: 3, download_count: 3 }
rejectsRow('a share link to both a build and a release', 'check', 'share_links', link, { release_id: 'r' })
rejectsRow('a share link to neither a build nor a release', 'check', 'share_links', link, { build_id: null })
rejectsRow('a share link whose download count exceeds its limit', 'check', 'share_links', link, {
  download_count: 4,
})
rejectsRow('a share link to a build of another application', 'foreign key', 'share_links', link, {
  build_id: 'bb',
})
const notification = { id: uuidV7(), release_id: 'r', email: 'n@x.org' }
rejects(
  'a second notification to the same address about the same release',
  'unique',
  [insertRow('release_notifications', notification)],
  [
    insertRow('release_notifications', notification),
    insertRow('release_notifications', { ...notification, id: uuidV7() }),
  ],
)
const group = { id: 'g2', workspace_id: 'w', name: 'G2', type: 'internal' }
rejectsRow('a distribution group of an unknown type', 'check', 'distribution_groups', group, { type: 'x' })
rejectsRow('a distribution group with an emoji icon but no emoji', 'check', 'distribution_groups', group, {
  icon_type: 'emoji',
})
rejectsRow(
  'a distribution group with a preset icon but another icon type',
  'check',
  'distribution_groups',
  group,
  { icon_set_value: 'rocket' },
)
const inGroup = { distribution_group_id: 'g', release_id: 'r', workspace_id: 'w' }
rejectsRow(
  'a release in a distribution group of another workspace',
  'foreign key',
  'distribution_group_releases',
  inGroup,
  { distribution_group_id: 'gv' },
)
const inPortal = { portal_id: 'p', ...own }
const portalStream = { portal_id: 'p', application_id: 'a', stream_id: 's' }
rejectsRow(
  'a portal that contains an application of another workspace',
  'foreign key',
  'portal_applications',
  inPortal,
  { application_id: 'c' },
)
rejects(
  'a portal stream whose application is not in the portal',
  'foreign key',
  [insertRow('portal_applications', inPortal), insertRow('portal_streams', portalStream)],
  [
    insertRow('portal_applications', inPortal),
    insertRow('portal_streams', { ...portalStream, application_id: 'b', stream_id: 'sb' }),
  ],
)

// Events and webhooks
const webhook = {
  id: uuidV7(),
  ...own,
  url: 'https://x.org',
  event: 'build.created',
  stream_id: 's',
  label_id: 'lw',
}
rejectsRow('a webhook for a stream of another application', 'foreign key', 'webhooks', webhook, {
  stream_id: 'sb',
})
rejectsRow('a webhook for a label of another application', 'foreign key', 'webhooks', webhook, {
  label_id: 'lb',
})
rejectsRow('a webhook whose URL does not use HTTP or HTTPS', 'check', 'webhooks', webhook, {
  url: 'file:///etc/passwd',
})
const delivery = {
  id: uuidV7(),
  webhook_id: webhook.id,
  event_id: uuidV7(),
  event: 'e',
  url: 'u',
  request_payload: '{}',
}
const waiting = { ...delivery, next_attempt_at: timestamp }
rejects(
  'a waiting webhook delivery without a next attempt time',
  'check',
  [insertRow('webhooks', webhook), insertRow('webhook_requests', waiting)],
  [insertRow('webhooks', webhook), insertRow('webhook_requests', delivery)],
)
const mail = {
  id: uuidV7(),
  workspace_id: 'w',
  recipient: 'n@x.org',
  subject: 's',
  text_body: 't',
  state: 'sent',
  sent_at: timestamp,
}
rejectsRow('a sent email without a sent_at timestamp', 'check', 'mails', mail, { sent_at: null })
