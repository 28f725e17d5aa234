import { relativeTime } from '../../ui/time.ts';
/** Returns whether the requests of a webhook arrive, and since when or until when they did. */
export function healthOf(webhook, nowMs) {
    const { last_successful_request_at: success, failing_since: failingSince } = webhook;
    const delivered = success === null ? 'Nothing delivered yet' : `Delivered ${relativeTime(success, nowMs)}`;
    if (!webhook.is_active)
        return { tone: 'off', label: 'Off', detail: delivered };
    const failing = failingSince === null ? '' : `Failing since ${relativeTime(failingSince, nowMs)}`;
    if (webhook.in_error_state)
        return { tone: 'bad', label: 'In error state', detail: failing || delivered };
    if (failingSince !== null)
        return { tone: 'warn', label: 'Failing', detail: failing };
    return success === null
        ? { tone: 'new', label: 'No requests yet', detail: '' }
        : { tone: 'good', label: 'Healthy', detail: delivered };
}
/** Returns how a webhook is called: its description, or the host of its URL. */
export const webhookName = ({ description, url }) => description || (URL.parse(url)?.host ?? url);
