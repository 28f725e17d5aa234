import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { workspaceKey } from '../../api/query-keys.ts'
import classes from './unread-count.module.css'

/** The number of unread notifications beside the link to the inbox. */
export function UnreadCount() {
  const { data: unread = 0 } = useQuery({
    queryKey: workspaceKey('notifications', 'count'),
    queryFn: async ({ signal }) => (await api.countNotifications({}, { signal })).data.unread,
  })
  return (
    unread > 0 && (
      <span className={classes.count} role="img" aria-label={`${unread} unread`}>
        {unread < 100 ? unread : '99+'}
      </span>
    )
  )
}
