import { linkOptions } from '@tanstack/react-router';
/** Returns the page of what an entry changed; undefined if it is gone or has no page. */
export function entryLink({ action, subject, application_id: applicationId, }) {
    if (action.endsWith('.deleted') || action.endsWith('.purged') || action.endsWith('.revoked'))
        return undefined;
    if (subject.type === 'portal')
        return linkOptions({ to: '/portals/$portalId/edit', params: { portalId: subject.id } });
    if (subject.type === 'distribution_group')
        return linkOptions({ to: '/groups/$groupId', params: { groupId: subject.id } });
    if (applicationId === null)
        return undefined;
    const params = { applicationId };
    if (subject.type === 'build')
        return linkOptions({
            to: '/applications/$applicationId/builds/$buildId',
            params: { ...params, buildId: subject.id },
        });
    if (subject.type === 'release')
        return linkOptions({
            to: '/applications/$applicationId/releases/$releaseId',
            params: { ...params, releaseId: subject.id },
        });
    if (subject.type === 'webhook')
        return linkOptions({
            to: '/applications/$applicationId/webhooks/$webhookId',
            params: { ...params, webhookId: subject.id },
        });
    if (subject.type === 'stream')
        return linkOptions({ to: '/applications/$applicationId/streams', params, search: { stream: subject.id } });
    return subject.type === 'application'
        ? linkOptions({ to: '/applications/$applicationId', params })
        : undefined;
}
