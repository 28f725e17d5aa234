import { Badge, Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callSignIn } from '../../api/sign-in.ts'
import { accountText } from '../../text/account.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconDeviceDesktop, IconDeviceMobile } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { showDone, showFailure } from '../../ui/toast.tsx'
import { accountSessionsQuery, type AccountSession } from './account.queries.ts'
import { deviceName } from './device-name.ts'

/** Lists where the person is signed in, and ends one or all other sessions. */
export function SessionList() {
  const query = useQuery(accountSessionsQuery)
  const queryClient = useQueryClient()
  const [isEndingAll, setIsEndingAll] = useState(false)
  const refresh = () => queryClient.invalidateQueries({ queryKey: accountSessionsQuery.queryKey })
  async function endOthers(): Promise<void> {
    await callSignIn('/sessions/revoke-others', {})
    await refresh()
    showDone(accountText.othersEnded)
  }
  const hasOthers = query.data?.some(({ is_current: isCurrent }) => !isCurrent) === true
  return (
    <SettingsSection
      title="Sessions"
      description={accountText.sessions}
      action={
        hasOthers ? (
          <Button variant="default" onClick={() => setIsEndingAll(true)}>
            End all others
          </Button>
        ) : undefined
      }
    >
      <Loaded query={query} rows={3}>
        {(sessions) => (
          <ItemList label="Sessions">
            {[...sessions]
              .sort((a, b) => Number(b.is_current) - Number(a.is_current))
              .map((session) => (
                <SessionItem key={session.id} session={session} onEnded={refresh} />
              ))}
          </ItemList>
        )}
      </Loaded>
      {isEndingAll && (
        <ConfirmDialog
          title="End all other sessions"
          confirmLabel="End sessions"
          isDangerous
          onConfirm={endOthers}
          onClose={() => setIsEndingAll(false)}
        >
          {accountText.endOthers}
        </ConfirmDialog>
      )}
    </SettingsSection>
  )
}

function SessionItem({ session, onEnded }: { session: AccountSession; onEnded: () => Promise<unknown> }) {
  const [isRunning, setIsRunning] = useState(false)
  const { browser, system, isPhone } = deviceName(session.user_agent)
  async function end(): Promise<void> {
    setIsRunning(true)
    try {
      await callSignIn(`/sessions/${session.id}`, undefined, 'DELETE')
      await onEnded()
      showDone(accountText.sessionEnded)
    } catch (error) {
      showFailure(error)
    } finally {
      setIsRunning(false)
    }
  }
  return (
    <Item
      leading={isPhone ? <IconDeviceMobile size={20} /> : <IconDeviceDesktop size={20} />}
      title={
        <>
          <span title={session.user_agent ?? undefined}>
            {browser} on {system}
          </span>
          {session.is_current && (
            <Badge variant="default" tt="none" fw={500}>
              This session
            </Badge>
          )}
        </>
      }
      detail={
        <>
          <span className="tabular">{session.ip_address ?? 'Unknown address'}</span>
          <span>
            Signed in <RelativeTime time={session.created_at} />
          </span>
          {session.last_renewed_at !== session.created_at && (
            <span>
              Renewed <RelativeTime time={session.last_renewed_at} />
            </span>
          )}
        </>
      }
      end={
        session.is_current ? undefined : (
          <Button
            variant="default"
            size="xs"
            loading={isRunning}
            onClick={() => void end()}
            aria-label={`End the session of ${browser} on ${system}`}
          >
            End
          </Button>
        )
      }
    />
  )
}
