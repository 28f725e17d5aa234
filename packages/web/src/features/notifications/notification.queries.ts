import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { workspaceKey } from '../../api/query-keys.ts'

/** The notifications of the person, the latest first. */
export const notificationsQuery = (isUnread: boolean) =>
  infiniteQueryOptions({
    queryKey: workspaceKey('notifications', 'list', isUnread),
    queryFn: ({ signal, pageParam }) =>
      api.listNotifications(
        {
          limit: 30,
          ...(isUnread ? { unread: true } : {}),
          ...(pageParam === null ? {} : { after: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })

export const notificationRulesQuery = queryOptions({
  queryKey: workspaceKey('notifications', 'rules'),
  queryFn: async ({ signal }) => (await api.listNotificationRules({}, { signal })).data,
})

export const notificationSettingsQuery = queryOptions({
  queryKey: workspaceKey('notifications', 'settings'),
  queryFn: async ({ signal }) => (await api.getNotificationSettings({}, { signal })).data,
})
