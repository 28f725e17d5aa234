import type { ShareLink } from '@quayside/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey } from '../../api/query-keys.ts'

/** The build or release that a link shares. */
export type Shareable = { type: 'build' | 'release'; applicationId: string; id: string }

/** The share links of a build or release. */
export const shareLinksQuery = ({ type, applicationId, id }: Shareable) =>
  queryOptions({
    queryKey: applicationKey(applicationId, `${type}s`, 'share-links', id),
    queryFn: async ({ signal }): Promise<ShareLink[]> => {
      const { data } =
        type === 'build'
          ? await api.listBuildShareLinks({ application_id: applicationId, build_id: id }, { signal })
          : await api.listReleaseShareLinks({ application_id: applicationId, release_id: id }, { signal })
      return data.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
    },
  })

type NewLink = { password?: string; expires_at?: string; max_downloads?: number; feedback_enabled?: boolean }

/** The key of every query that shows the build or release, including whether it has share links. */
export const keyOfShareables = ({ type, applicationId }: Shareable) =>
  applicationKey(applicationId, `${type}s`)

/** Creates a share link to a build or release. */
export async function createShareLink(
  { type, applicationId, id }: Shareable,
  body: NewLink,
): Promise<ShareLink> {
  const { data } =
    type === 'build'
      ? await api.createBuildShareLink({ application_id: applicationId, build_id: id, body })
      : await api.createReleaseShareLink({ application_id: applicationId, release_id: id, body })
  return data
}

export type ShareLinkState = 'active' | 'locked' | 'revoked' | 'expired' | 'exhausted'

/** Returns whether a link can be used, and otherwise why not. */
export function stateOf(link: ShareLink): ShareLinkState {
  if (!link.is_active) return 'revoked'
  if (link.expired) return 'expired'
  if (link.max_downloads !== null && link.download_count >= link.max_downloads) return 'exhausted'
  return link.locked_until === null ? 'active' : 'locked'
}
