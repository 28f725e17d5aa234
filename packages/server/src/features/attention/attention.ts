import { Type, type Static } from 'typebox'
import { platformResource } from '../../catalog/platforms.ts'
import { Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import { versionOf } from '../../http/endpoint/version-parts.ts'
import { formatVersion } from '../../lib/semver.ts'
import { isoMicroseconds } from '../../lib/time.ts'
import type { Capacity } from '../../storage/objects/free-space.ts'
import { Platform } from '../platforms/platform.ts'
import type {
  countFailedMails,
  listDueStreams,
  listExpiringProfiles,
  listExpiringShareLinks,
  listFailedBuilds,
  listFailingWebhooks,
  listOpenAccessRequests,
  listWeakWebhookSecrets,
} from './attention.db.ts'

export const periods = {
  failedDays: 14,
  expiringProfileDays: 30,
  retentionDays: 7,
  expiringShareLinkDays: 3,
}

const lowPercent = 10

export const AttentionItem = Type.Object(
  {
    kind: Type.Enum(
      [
        'webhook_failing',
        'webhook_secret_weak',
        'processing_failed',
        'provisioning_profile_expiring',
        'retention_due',
        'share_links_expiring',
        'storage_low',
        'emails_failed',
        'access_requested',
      ],
      {
        description:
          '`webhook_failing`: a webhook is in the error state, and was active in the last 14 days. ' +
          '`webhook_secret_weak`: the secret of an active webhook can be guessed, so that its receiver accepts forged requests. Set a new one. ' +
          '`processing_failed`: the metadata of builds that were uploaded in the last 14 days could not be read. ' +
          '`provisioning_profile_expiring`: the provisioning profile of the newest build of a platform expires within 30 days, or has expired in the last 30 days. ' +
          '`retention_due`: builds of a stream move to the trash within 7 days. ' +
          '`share_links_expiring`: share links expire within 3 days. ' +
          '`storage_low`: uploads can use less than 10% of the disk of the server. ' +
          '`emails_failed`: emails of the last 14 days could not be sent. ' +
          '`access_requested`: members of the workspace ask for access to an application of which the caller is an admin.',
      },
    ),
    severity: Type.Enum(['info', 'warning', 'error'], {
      description: '`error`: something has stopped working.',
    }),
    since: Type.String({
      ...Timestamp,
      description:
        'The time of the latest failure or request or, for a deadline, the time from which it is listed. The time of the response for `storage_low`, and of the latest change of the webhook for `webhook_secret_weak`.',
    }),
    application: Nullable(Type.Object({ id: Type.String(), name: Type.String() })),
    subject: Nullable(
      Type.Object({
        type: Type.Enum(['webhook', 'build', 'stream']),
        id: Type.String(),
        name: Type.String({
          description: 'The event of the webhook, the version of the build or the name of the stream.',
        }),
      }),
    ),
    platform: Nullable(Platform),
    count: Type.Integer({
      minimum: 1,
      description:
        'Number of webhooks, builds, share links, emails or requests. If there are several builds with `processing_failed`, `subject` is the newest.',
    }),
    due_at: Nullable(
      Type.String({ ...Timestamp, description: 'The deadline, or the earliest one if `count` is above 1.' }),
    ),
    bytes: Nullable(
      Type.Integer({
        minimum: 0,
        description:
          'Size of the builds for `retention_due`; bytes that uploads can still use for `storage_low`.',
      }),
    ),
  },
  { title: 'AttentionItem' },
)

type Item = Static<typeof AttentionItem>
type RowOf<List extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<List>>[number]

const none = { application: null, subject: null, platform: null, count: 1, due_at: null, bytes: null }

const inApplication = (row: { application_id: string; application_name: string }) => ({
  ...none,
  application: { id: row.application_id, name: row.application_name },
})

const daysBefore = (time: string, days: number): string =>
  isoMicroseconds(new Date(Date.parse(time) - days * 24 * 60 * 60 * 1000))

export const failingWebhook = (row: RowOf<typeof listFailingWebhooks>): Item => ({
  ...inApplication(row),
  kind: 'webhook_failing',
  severity: 'error',
  since: row.failed_at,
  subject: { type: 'webhook', id: row.id, name: row.event },
})

export const weakWebhookSecret = (row: RowOf<typeof listWeakWebhookSecrets>): Item => ({
  ...inApplication(row),
  kind: 'webhook_secret_weak',
  severity: 'warning',
  since: row.updated_at,
  subject: { type: 'webhook', id: row.id, name: row.event },
})

export const failedBuilds = (row: RowOf<typeof listFailedBuilds>): Item => ({
  ...inApplication(row),
  kind: 'processing_failed',
  severity: 'warning',
  since: row.created_at,
  subject: { type: 'build', id: row.id, name: formatVersion(versionOf(row)) },
  platform: platformResource(row.platform),
  count: row.count,
})

export const expiringProfile = (row: RowOf<typeof listExpiringProfiles>): Item => ({
  ...inApplication(row),
  kind: 'provisioning_profile_expiring',
  severity: row.has_expired ? 'error' : 'warning',
  since: daysBefore(row.expires_at, periods.expiringProfileDays),
  subject: { type: 'build', id: row.id, name: formatVersion(versionOf(row)) },
  platform: platformResource(row.platform),
  due_at: row.expires_at,
})

export const dueStream = (row: RowOf<typeof listDueStreams>): Item => ({
  ...inApplication(row),
  kind: 'retention_due',
  severity: 'info',
  since: daysBefore(row.due_at, periods.retentionDays),
  subject: { type: 'stream', id: row.id, name: row.name },
  count: row.count,
  due_at: row.due_at,
  bytes: row.bytes,
})

export const expiringShareLinks = (row: RowOf<typeof listExpiringShareLinks>): Item => ({
  ...inApplication(row),
  kind: 'share_links_expiring',
  severity: 'info',
  since: daysBefore(row.expires_at, periods.expiringShareLinkDays),
  count: row.count,
  due_at: row.expires_at,
})

export const openAccessRequests = (row: RowOf<typeof listOpenAccessRequests>): Item => ({
  ...inApplication(row),
  kind: 'access_requested',
  severity: 'info',
  since: row.created_at,
  count: row.count,
})

export const failedMails = ({ count, created_at }: Awaited<ReturnType<typeof countFailedMails>>): Item[] =>
  created_at === null
    ? []
    : [{ ...none, kind: 'emails_failed', severity: 'warning', since: created_at, count }]

/** Returns an item if uploads can use less than 10% of the disk. */
export function lowStorage(capacity: Capacity | undefined, now: Date): Item[] {
  if (capacity === undefined || capacity.usableBytes >= (capacity.sizeBytes * lowPercent) / 100) return []
  const severity = capacity.usableBytes === 0 ? 'error' : 'warning'
  return [
    { ...none, kind: 'storage_low', severity, since: isoMicroseconds(now), bytes: capacity.usableBytes },
  ]
}
