import type { ListUploadsResponse } from '@quayside/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey } from '../../api/query-keys.ts'

export type OpenUpload = ListUploadsResponse['data'][number]

const waitingAfterSeconds = 60
const hiddenAfterSeconds = 15 * 60

/** Returns whether no data has arrived for a minute. */
export const isWaiting = ({ idle_seconds, state }: OpenUpload): boolean =>
  state === 'requested' && idle_seconds > waitingAfterSeconds

/** The unfinished uploads to an application, newest first, without those that seem to be abandoned. */
export const openUploadsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'uploads'),
    queryFn: async ({ signal }) => {
      const query = { application_id: applicationId, include_verifying: true }
      const { data } = await api.listUploads(query, { signal })
      return data.filter(({ idle_seconds }) => idle_seconds <= hiddenAfterSeconds)
    },
    // Events report only that an upload has begun or ended.
    refetchInterval: ({ state: { data = [] } }) =>
      data.length === 0 ? false : data.every(isWaiting) ? 15_000 : 2_000,
  })
