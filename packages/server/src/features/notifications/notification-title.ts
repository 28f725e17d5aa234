import { platformResource } from '../../catalog/platforms.ts'
import type { NotificationKind } from './notification-rule.ts'
import type { NotificationRow } from './notification.db.ts'

/** Returns a line that says what happened. Names in it can contain any text. */
export const notificationTitle = (row: NotificationRow): string => titles[row.kind](row)

const titles: Record<NotificationKind, (row: NotificationRow) => string> = {
  access_granted: (row) => `${row.actor_name} gave you access to ${row.application_name}`,
  access_request: (row) => `${row.actor_name} requests access to ${row.application_name}`,
  build: ({ label, stream, ...row }) =>
    label === null ? `${buildName(row)} is in ${stream}` : `${buildName(row)} has the label ${label}`,
  build_failed: (row) => `${buildName(row)} could not be read`,
  feedback: (row) => `New feedback on ${buildName(row)}`,
  mention: (row) => `${row.actor_name} mentioned you in ${mentionPlace(row)}`,
  release: (row) => `${row.application_name} ${row.release_version} is released: ${row.release_title}`,
  rollout_stopped: (row) => `The rollout of ${row.application_name} in ${row.channel_name} stopped`,
}

type BuildNames = Pick<NotificationRow, 'application_name' | 'build_version' | 'build_number' | 'platform'>

function buildName({ application_name, build_version, build_number, platform }: BuildNames): string {
  const number = build_number === null ? '' : ` (${build_number})`
  return `${application_name} ${build_version}${number} for ${platformResource(platform ?? '').name}`
}

function mentionPlace(row: NotificationRow): string {
  if (row.feedback_id !== null) return `feedback on ${buildName(row)}`
  return row.release_id === null
    ? `the notes of ${buildName(row)}`
    : `the notes of ${row.application_name} ${row.release_version}`
}
