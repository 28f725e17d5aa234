import type { AuditEntry } from '@quayside/sdk'
import { linkOptions, type LinkOptions } from '@tanstack/react-router'
import type { useSession } from '../../api/session.ts'

/** Returns the page of what an entry changed; undefined if it is gone, has no page, or the reader cannot open the page. */
export function entryLink(
  { action, subject, application_id: applicationId }: AuditEntry,
  can: ReturnType<typeof useSession>['can'],
): LinkOptions | undefined {
  if (action.endsWith('.deleted') || action.endsWith('.purged') || action.endsWith('.revoked'))
    return undefined
  if (subject.type === 'portal')
    return can('portals:read')
      ? linkOptions({ to: '/portals/$portalId/edit', params: { portalId: subject.id } })
      : undefined
  if (subject.type === 'distribution_group')
    return can('distribution_groups:read')
      ? linkOptions({ to: '/groups/$groupId', params: { groupId: subject.id } })
      : undefined
  if (subject.type === 'team')
    return can('members:read')
      ? linkOptions({ to: '/teams/$teamId', params: { teamId: subject.id } })
      : undefined
  if (applicationId === null) return undefined
  const params = { applicationId }
  if (subject.type === 'build')
    return linkOptions({
      to: '/applications/$applicationId/builds/$buildId',
      params: { ...params, buildId: subject.id },
    })
  if (subject.type === 'release')
    return linkOptions({
      to: '/applications/$applicationId/releases/$releaseId',
      params: { ...params, releaseId: subject.id },
    })
  if (subject.type === 'webhook')
    return linkOptions({
      to: '/applications/$applicationId/webhooks/$webhookId',
      params: { ...params, webhookId: subject.id },
    })
  if (subject.type === 'stream')
    return linkOptions({ to: '/applications/$applicationId/streams', params, search: { stream: subject.id } })
  return subject.type === 'application'
    ? linkOptions({ to: '/applications/$applicationId', params })
    : undefined
}
