import { Type, type Static } from 'typebox'
import { platformResource } from '../../catalog/platforms.ts'
import type { Config } from '../../config/config.ts'
import { Nullable, PathId, Timestamp } from '../../http/endpoint/fields.ts'
import { Platform } from '../platforms/platform.ts'
import { Kind } from './notification-rule.ts'
import { notificationTitle } from './notification-title.ts'
import type { NotificationRow } from './notification.db.ts'

const text = (description: string) => Nullable(Type.String({ description }))

export const Notification = Type.Object(
  {
    id: Type.String(),
    kind: Kind,
    title: Type.String({ description: 'A line that says what happened.' }),
    application: Type.Object({ id: Type.String(), name: Type.String() }),
    build: Nullable(
      Type.Object(
        {
          id: Type.String(),
          version: Type.String(),
          build_number: Nullable(Type.String()),
          platform: Platform,
        },
        { description: 'The build that the notification is about.' },
      ),
    ),
    release: Nullable(Type.Object({ id: Type.String(), title: Type.String(), version: Type.String() })),
    feedback: Nullable(
      Type.Object({
        id: Type.String(),
        text: Type.String({ description: 'The beginning of the feedback.' }),
      }),
    ),
    channel: Nullable(Type.Object({ id: Type.String(), name: Type.String() })),
    stream: text('Name of the stream of the build at that time.'),
    label: text('Name of the label that the build got.'),
    actor_name: text(
      'Name of the person or API key that mentioned you, requests access or approved your request.',
    ),
    url: Type.String({ description: 'The page of the console that shows it.' }),
    occurred_at: Timestamp,
    read_at: Nullable(Timestamp),
  },
  { title: 'Notification' },
)

export const NotificationId = PathId('ID of the notification.')

/** Returns the page of the console that shows what the notification is about. */
export function notificationUrl({ publicUrl }: Pick<Config, 'publicUrl'>, row: NotificationRow): string {
  const application = `${publicUrl}/applications/${row.application_id}`
  if (row.kind === 'access_request') return `${application}/settings?section=members`
  if (row.feedback_id !== null) return `${application}/feedback?id=${row.feedback_id}`
  if (row.build_id !== null) return `${application}/builds/${row.build_id}`
  if (row.release_id !== null) return `${application}/releases/${row.release_id}`
  return row.channel_id === null ? application : `${application}/distribute/${row.channel_id}`
}

export const notificationResource = (
  row: NotificationRow,
  config: Pick<Config, 'publicUrl'>,
): Static<typeof Notification> => ({
  id: row.id,
  kind: row.kind,
  title: notificationTitle(row),
  application: { id: row.application_id, name: row.application_name },
  build:
    row.build_id === null
      ? null
      : {
          id: row.build_id,
          version: row.build_version ?? '',
          build_number: row.build_number,
          platform: platformResource(row.platform ?? ''),
        },
  release:
    row.release_id === null
      ? null
      : { id: row.release_id, title: row.release_title ?? '', version: row.release_version ?? '' },
  feedback: row.feedback_id === null ? null : { id: row.feedback_id, text: row.feedback_text ?? '' },
  channel: row.channel_id === null ? null : { id: row.channel_id, name: row.channel_name ?? '' },
  stream: row.stream,
  label: row.label,
  actor_name: row.actor_name,
  url: notificationUrl(config, row),
  occurred_at: row.occurred_at,
  read_at: row.read_at,
})
