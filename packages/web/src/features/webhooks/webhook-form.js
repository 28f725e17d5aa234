import { isChatFormat } from './webhook-format.ts';
export const fieldsOf = (webhook) => ({
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    event: webhook?.event ?? 'build.created',
    stream: webhook?.event_subscription.stream?.id ?? null,
    label: webhook?.event_subscription.label?.id ?? null,
    format: webhook?.format ?? 'json',
    secretKind: 'generated',
    secret: '',
});
/** Returns whether a webhook for this event can be limited to a stream, must be, or cannot be. */
export function streamRule(event) {
    if (event.endsWith('.stream'))
        return 'required';
    return event.startsWith('release.') ? 'not allowed' : 'optional';
}
export const isSigned = ({ format, secretKind }) => secretKind !== 'none' && !isChatFormat(format);
