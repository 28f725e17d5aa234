import { formatBytes, plural } from '../ui/bytes.ts';
import { relativeTime } from '../ui/time.ts';
/** Returns the sentence about something that needs attention, and where and when. */
export function attentionText(item, nowMs) {
    const { application, subject, platform, count, due_at: dueAt, bytes } = item;
    const due = dueAt === null ? '' : relativeTime(dueAt, nowMs);
    const place = [application?.name, platform?.name].filter(Boolean).join(' · ');
    const since = relativeTime(item.since, nowMs);
    switch (item.kind) {
        case 'webhook_failing':
            return {
                title: `A webhook for ${subject?.name ?? 'events'} fails`,
                detail: `${place} · since ${since}`,
            };
        case 'processing_failed':
            return {
                title: count === 1
                    ? `The package of ${subject?.name ?? 'a build'} could not be read`
                    : `${plural(count, 'package')} could not be read`,
                detail: `${place} · ${since}`,
            };
        case 'provisioning_profile_expiring':
            return {
                title: `The provisioning profile of ${subject?.name ?? 'the newest build'} expires ${due}`,
                detail: place,
            };
        case 'retention_due':
            return {
                title: `${plural(count, 'build')} of the stream ${subject?.name ?? ''} will move to the trash`,
                detail: `${place} · the first ${due}`,
            };
        case 'share_links_expiring':
            return { title: `${plural(count, 'share link')} will expire`, detail: `${place} · the first ${due}` };
        case 'storage_low':
            return {
                title: 'The disk is nearly full',
                detail: bytes === null ? 'Uploads will be refused soon' : `${formatBytes(bytes)} left for uploads`,
            };
        case 'emails_failed':
            return { title: `${plural(count, 'email')} could not be sent`, detail: since };
        default:
            return { title: item.kind, detail: place };
    }
}
