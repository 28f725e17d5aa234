import type { FullRelease } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { applicationKey } from '../../api/query-keys.ts'
import { releaseQuery } from './release.queries.ts'

/** Returns a function that sends a change, shows the returned release at once, and reloads what depends on it. */
export function useReleaseChange({ application_id: applicationId, id }: FullRelease) {
  const queryClient = useQueryClient()
  return async <T extends { data: FullRelease }>(send: () => Promise<T>): Promise<T> => {
    const response = await send()
    queryClient.setQueryData(releaseQuery(applicationId, id).queryKey, response.data)
    // The returned release is shown already, so a dialog does not stay open until the lists are loaded.
    void queryClient.invalidateQueries({ queryKey: applicationKey(applicationId, 'releases') })
    return response
  }
}

/** The parameters of every call about a release. */
export const releasePath = ({ application_id, id }: FullRelease) => ({ application_id, release_id: id })
