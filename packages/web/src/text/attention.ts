import type { AttentionItem } from '@quayside/sdk'
import { formatBytes, plural } from '../ui/format/bytes.ts'
import { relativeTime } from '../ui/format/time.ts'
import { eventTitle } from './webhook-events.ts'

/** Returns the sentence about something that needs attention, and where and when. */
export function attentionText(item: AttentionItem, nowMs: number): { title: string; detail: string } {
  const { application, subject, platform, count, due_at: dueAt, bytes } = item
  const due = dueAt === null ? '' : relativeTime(dueAt, nowMs)
  const firstDue = count === 1 ? due : `the first ${due}`
  const place = [application?.name, platform?.name].filter(Boolean).join(' · ')
  const since = relativeTime(item.since, nowMs)
  switch (item.kind) {
    case 'webhook_failing':
      return {
        title: `A webhook for “${eventTitle(subject?.name ?? '')}” is failing`,
        detail: `${place} · last failed ${since}`,
      }
    case 'webhook_secret_weak':
      return {
        title: `A webhook for “${eventTitle(subject?.name ?? '')}” has a weak secret`,
        detail: `${place} · rotate the secret`,
      }
    case 'processing_failed':
      return {
        title:
          count === 1
            ? `Build ${subject?.name ?? ''} could not be read`
            : `${plural(count, 'build')} could not be read`,
        // The platform is that of the newest build.
        detail: `${count === 1 ? place : (application?.name ?? '')} · ${since}`,
      }
    case 'provisioning_profile_expiring':
      return {
        title: `The provisioning profile in ${subject?.name ?? 'the newest build'} ${item.severity === 'error' ? 'expired' : 'expires'} ${due}`,
        detail: place,
      }
    case 'retention_due':
      return {
        title: `${plural(count, 'build')} in ${subject?.name ?? 'a stream'} will move to the trash`,
        detail: `${place} · ${firstDue}`,
      }
    case 'share_links_expiring':
      return { title: `${plural(count, 'share link')} will expire`, detail: `${place} · ${firstDue}` }
    case 'storage_low':
      return {
        title: 'The disk is nearly full',
        detail: bytes === null ? 'Uploads will be refused soon' : `${formatBytes(bytes)} left for uploads`,
      }
    case 'access_requested':
      return {
        title: count === 1 ? '1 person requests access' : `${count} people request access`,
        detail: `${place} · ${since}`,
      }
    case 'emails_failed':
      return { title: `${plural(count, 'email')} could not be sent`, detail: since }
    default:
      return { title: item.kind, detail: place }
  }
}
