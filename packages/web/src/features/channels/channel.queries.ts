import { allItems } from '@quayside/sdk'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey } from '../../api/query-keys.ts'

/** The IDs in the paths of endpoints of a channel. */
export type ChannelParams = { application_id: string; channel_id: string }

export const channelsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'channels', 'list'),
    queryFn: async ({ signal }) =>
      (await api.listChannels({ application_id: applicationId }, { signal })).data,
  })

const channelKey = ({ application_id, channel_id }: ChannelParams, ...path: string[]) =>
  applicationKey(application_id, 'channels', 'one', channel_id, ...path)

export const channelQuery = (params: ChannelParams) =>
  queryOptions({
    queryKey: channelKey(params),
    queryFn: async ({ signal }) => (await api.getChannel(params, { signal })).data,
  })

/** What the newest version lacks, for each format of the channel. */
export const readinessQuery = (params: ChannelParams) =>
  queryOptions({
    queryKey: channelKey(params, 'readiness'),
    queryFn: async ({ signal }) => (await api.getChannelReadiness(params, { signal })).data,
  })

/** Which versions the clients have, and the health of each format. */
export const adoptionQuery = (params: ChannelParams, days: number) =>
  queryOptions({
    queryKey: channelKey(params, 'adoption', String(days)),
    queryFn: async ({ signal }) => (await api.getChannelAdoption({ ...params, days }, { signal })).data,
    staleTime: 30_000,
  })

/** How the channel offers its newest versions, newest first. */
export const rolloutsQuery = (params: ChannelParams) =>
  queryOptions({
    queryKey: channelKey(params, 'rollouts'),
    queryFn: async ({ signal }) => (await api.listRollouts(params, { signal })).data,
  })

/** The read keys of the channel, newest first. */
export const readKeysQuery = (params: ChannelParams) =>
  queryOptions({
    queryKey: channelKey(params, 'read-keys'),
    queryFn: async ({ signal }) => {
      const keys = await allItems((page) => api.listReadKeys({ ...params, page, per_page: 100 }, { signal }))
      return keys.reverse()
    },
  })

export const reloadChannels = (queryClient: QueryClient, applicationId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: applicationKey(applicationId, 'channels') })
