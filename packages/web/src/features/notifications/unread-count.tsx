import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { unreadQuery } from './notification.queries.ts'

/** The number of unread notifications beside the link to the inbox. */
export function UnreadCount() {
  const { data: unread = 0 } = useQuery(unreadQuery)
  return (
    unread > 0 && (
      <Badge size="sm" circle={unread < 10} aria-label={`${unread} unread`}>
        {unread < 100 ? unread : '99+'}
      </Badge>
    )
  )
}
