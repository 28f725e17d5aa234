import { uuidV7 } from '../../src/lib/ids.ts'
import { asRow } from './seed.fixture.ts'
import { own, week, stateTests } from './state-tests.fixture.ts'

const { refuses, refusesRow } = stateTests()

const inRelease = { release_id: 'r', build_id: 'b1', application_id: 'a' }
refusesRow('a build of another application in a release', 'foreign key', 'release_builds', inRelease, {
  build_id: 'bb',
})
const link = { id: 'link', ...own, build_id: 'b1', max_downloads: 3, download_count: 3 }
refusesRow('a share link to a build and a release', 'check', 'share_links', link, { release_id: 'r' })
refusesRow('a share link to nothing', 'check', 'share_links', link, { build_id: null })
refusesRow('a share link past its limit', 'check', 'share_links', link, { download_count: 4 })
refusesRow('a share link to a build of another application', 'foreign key', 'share_links', link, {
  build_id: 'bb',
})
const notification = { id: uuidV7(), release_id: 'r', email: 'n@x.org' }
refuses(
  'a second mail to one person about one release',
  'unique',
  [asRow('release_notifications', notification)],
  [
    asRow('release_notifications', notification),
    asRow('release_notifications', { ...notification, id: uuidV7() }),
  ],
)
const group = { id: 'g2', workspace_id: 'w', name: 'G2', type: 'internal' }
refusesRow('a group of a type that nobody knows', 'check', 'distribution_groups', group, { type: 'x' })
refusesRow('a group with an emoji and no code for it', 'check', 'distribution_groups', group, {
  icon_type: 'emoji',
})
refusesRow(
  'a group with an icon of a set that its type does not show',
  'check',
  'distribution_groups',
  group,
  {
    icon_set_value: 'rocket',
  },
)
const grouped = { distribution_group_id: 'g', release_id: 'r', workspace_id: 'w' }
refusesRow(
  'a release in a group of another workspace',
  'foreign key',
  'distribution_group_releases',
  grouped,
  {
    distribution_group_id: 'gv',
  },
)
const shown = { portal_id: 'p', ...own }
const picked = { portal_id: 'p', application_id: 'a', stream_id: 's' }
refusesRow('an application of another workspace in a portal', 'foreign key', 'portal_applications', shown, {
  application_id: 'c',
})
refuses(
  'a stream of an application that the portal does not show',
  'foreign key',
  [asRow('portal_applications', shown), asRow('portal_streams', picked)],
  [
    asRow('portal_applications', shown),
    asRow('portal_streams', { ...picked, application_id: 'b', stream_id: 'sb' }),
  ],
)

// events and webhooks
const webhook = {
  id: uuidV7(),
  ...own,
  url: 'https://x.org',
  event: 'build.created',
  stream_id: 's',
  label_id: 'lw',
}
refusesRow('a webhook on a stream of another application', 'foreign key', 'webhooks', webhook, {
  stream_id: 'sb',
})
refusesRow('a webhook on a label of another application', 'foreign key', 'webhooks', webhook, {
  label_id: 'lb',
})
refusesRow('a webhook to what is no web address', 'check', 'webhooks', webhook, { url: 'file:///etc/passwd' })
const delivery = {
  id: uuidV7(),
  webhook_id: webhook.id,
  event_id: uuidV7(),
  event: 'e',
  url: 'u',
  request_payload: '{}',
}
const waiting = { ...delivery, next_attempt_at: week }
refuses(
  'a waiting delivery without a next attempt',
  'check',
  [asRow('webhooks', webhook), asRow('webhook_requests', waiting)],
  [asRow('webhooks', webhook), asRow('webhook_requests', delivery)],
)
const mail = {
  id: uuidV7(),
  workspace_id: 'w',
  recipient: 'n@x.org',
  subject: 's',
  text_body: 't',
  state: 'sent',
  sent_at: week,
}
refusesRow('a sent mail without its time', 'check', 'mails', mail, { sent_at: null })
