import { Anchor, Button, SegmentedControl } from '@mantine/core'
import type { Notification } from '@quayside/sdk'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, linkOptions, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { workspaceKey } from '../../api/query-keys.ts'
import { notificationText as text } from '../../text/notifications.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { IconBell, IconCheck, IconSettings } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { LoadMore } from '../../ui/loading/load-more.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { ButtonLink } from '../../ui/navigation/button-link.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { showFailure, showUndo } from '../../ui/toast.tsx'
import { notificationsQuery } from './notification.queries.ts'

const route = getRouteApi('/console/inbox')

/** Lists the notifications of the person. Opening one marks it as read. */
export function InboxPage() {
  const isUnread = route.useSearch().show !== 'all'
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const query = useInfiniteQuery(notificationsQuery(isUnread))
  const newest = query.data?.pages[0]?.data[0]
  const reload = () => queryClient.invalidateQueries({ queryKey: workspaceKey('notifications') })
  const markAll = async (until: string) => {
    const unread =
      query.data?.pages.flatMap(({ data }) => data).filter(({ read_at: at }) => at === null) ?? []
    await api.markNotificationsRead({ body: { until } })
    await reload()
    const setUnread = () => Promise.all(unread.map((each) => save(each, false))).finally(reload)
    showUndo(text.allRead, isUnread && !query.hasNextPage ? setUnread : undefined)
  }
  const save = ({ id }: Notification, read: boolean) =>
    api.updateNotification({ notification_id: id, body: { read } })
  const mark = async (notification: Notification, read: boolean) => {
    await save(notification, read)
    await reload()
  }
  const markWithUndo = async (notification: Notification, read: boolean) => {
    await mark(notification, read)
    showUndo(read ? text.markedRead : text.markedUnread, () => mark(notification, !read))
  }
  return (
    <>
      <PageHeader
        title="Inbox"
        facts={text.facts}
        actions={
          <>
            {newest !== undefined && (
              <Button
                variant="default"
                leftSection={<IconCheck size={16} />}
                onClick={() => void markAll(newest.occurred_at).catch(showFailure)}
              >
                Mark all as read
              </Button>
            )}
            <ButtonLink
              to="/account"
              search={{ section: 'notifications' }}
              variant="default"
              leftSection={<IconSettings size={16} />}
            >
              Rules
            </ButtonLink>
          </>
        }
      />
      <SegmentedControl
        mb="md"
        aria-label="Notifications to show"
        data={[
          { value: 'unread', label: 'Unread' },
          { value: 'all', label: 'All' },
        ]}
        value={isUnread ? 'unread' : 'all'}
        onChange={(show) =>
          void navigate({ to: '/inbox', search: show === 'all' ? { show } : {}, replace: true })
        }
      />
      <Loaded query={query} rows={6}>
        {({ pages }) => {
          const notifications = pages.flatMap(({ data }) => data)
          return notifications.length === 0 ? (
            <EmptyState icon={<IconBell size={22} />} title={isUnread ? text.readTitle : text.emptyTitle}>
              {isUnread ? text.read : text.empty}
            </EmptyState>
          ) : (
            <ItemList label="Notifications">
              {notifications.map((each) => (
                <NotificationItem
                  key={each.id}
                  notification={each}
                  onOpen={() => void mark(each, true).catch(showFailure)}
                  onMark={(read) => void markWithUndo(each, read).catch(showFailure)}
                />
              ))}
            </ItemList>
          )
        }}
      </Loaded>
      <LoadMore query={query}>Show more notifications</LoadMore>
    </>
  )
}

type ItemProps = { notification: Notification; onOpen: () => void; onMark: (read: boolean) => void }

function NotificationItem({ notification, onOpen, onMark }: ItemProps) {
  const { title, feedback, occurred_at: time, read_at: readAt } = notification
  const isRead = readAt !== null
  return (
    <Item
      isMuted={isRead}
      title={
        <SubjectLink notification={notification} onOpen={() => !isRead && onOpen()}>
          {title}
        </SubjectLink>
      }
      detail={
        <>
          {feedback !== null && <span>“{feedback.text}”</span>}
          <RelativeTime time={time} />
        </>
      }
      end={
        <Button size="compact-sm" variant="subtle" onClick={() => onMark(!isRead)}>
          {isRead ? 'Mark as unread' : 'Mark as read'}
        </Button>
      }
    />
  )
}

type LinkProps = { notification: Notification; onOpen: () => void; children: ReactNode }

/** Links to what the notification is about. */
function SubjectLink({ notification, onOpen, children }: LinkProps) {
  const isUnread = notification.read_at === null
  return (
    <Anchor
      fw={isUnread ? 600 : 400}
      c="inherit"
      onClick={onOpen}
      renderRoot={(props) => <Link {...pageOf(notification)} {...props} />}
    >
      {children}
    </Anchor>
  )
}

/** Returns the same page as the URL of the notification. */
function pageOf({ kind, application, build, release, feedback, channel }: Notification) {
  const params = { applicationId: application.id }
  if (kind === 'access_request')
    return linkOptions({
      to: '/applications/$applicationId/settings',
      params,
      search: { section: 'members' },
    })
  if (feedback !== null)
    return linkOptions({ to: '/applications/$applicationId/feedback', params, search: { id: feedback.id } })
  if (build !== null)
    return linkOptions({
      to: '/applications/$applicationId/builds/$buildId',
      params: { ...params, buildId: build.id },
    })
  if (release !== null)
    return linkOptions({
      to: '/applications/$applicationId/releases/$releaseId',
      params: { ...params, releaseId: release.id },
    })
  if (channel !== null)
    return linkOptions({
      to: '/applications/$applicationId/distribute/$channelId',
      params: { ...params, channelId: channel.id },
    })
  return linkOptions({ to: '/applications/$applicationId', params })
}
