import { ActionIcon, Anchor, Button } from '@mantine/core'
import type { Feedback } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { applicationKey } from '../../api/query-keys.ts'
import { useSession } from '../../api/session.ts'
import { feedbackText } from '../../text/distribution/feedback.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { Hint } from '../../ui/hint.tsx'
import { IconCheck, IconRestore, IconTrash } from '../../ui/icons/icons.ts'
import { Item } from '../../ui/item-list.tsx'
import { PlatformIcon } from '../../ui/platform-icon.tsx'
import { StateBadge } from '../../ui/status/state-badge.tsx'
import { showFailure, showUndo } from '../../ui/toast.tsx'
import { versionText } from '../builds/build.queries.ts'
import classes from './feedback.module.css'
import { Screenshots } from './screenshots.tsx'

type Props = { feedback: Feedback; showsBuild: boolean }

/** What a tester wrote, with the device and screenshots. */
export function FeedbackItem({ feedback, showsBuild }: Props) {
  const { text, rating, name, email, device, os, build, state, screenshots, created_at: createdAt } = feedback
  const devices = [device, os].filter((part) => part !== null).join(' · ')
  return (
    <Item
      isReadFirst
      isMuted={state === 'closed'}
      title={
        <>
          <span>{name ?? (email === null ? 'A tester' : <MailLink email={email} />)}</span>
          {rating !== null && <Stars rating={rating} />}
          <StateBadge tone={state === 'open' ? 'warn' : 'neutral'}>{stateNames[state]}</StateBadge>
        </>
      }
      detail={
        <>
          {showsBuild && (
            <Link
              to="/applications/$applicationId/builds/$buildId"
              params={{ applicationId: feedback.application_id, buildId: build.id }}
              search={{ tab: 'feedback' }}
            >
              <PlatformIcon platform={build.platform} size={14} /> {versionText(build)}
            </Link>
          )}
          {devices !== '' && (
            <Hint label={feedback.user_agent ?? 'Unknown'} multiline maw={420}>
              <span>{devices}</span>
            </Hint>
          )}
          {name !== null && email !== null && <MailLink email={email} />}
          {feedback.closed_by !== null && <span>closed by {feedback.closed_by.name}</span>}
          <RelativeTime time={createdAt} />
        </>
      }
      end={<ItemActions feedback={feedback} />}
    >
      <p className={classes.text}>{text}</p>
      <Screenshots screenshots={screenshots} />
    </Item>
  )
}

const stateNames = { open: 'Open', closed: 'Closed' } as const

const MailLink = ({ email }: { email: string }) => (
  <Anchor fz="inherit" href={`mailto:${encodeURIComponent(email)}`}>
    {email}
  </Anchor>
)

const Stars = ({ rating }: { rating: number }) => (
  <span className={classes.rating} role="img" aria-label={`${rating} of 5 stars`}>
    {'★'.repeat(rating)}
    {'☆'.repeat(5 - rating)}
  </span>
)

function ItemActions({ feedback }: { feedback: Feedback }) {
  const [isDeleting, setIsDeleting] = useState(false)
  const { can } = useSession()
  const changed = useFeedbackChanged(feedback.application_id)
  const setState = useStateChange(feedback)
  if (!can('builds:write', feedback.application_id)) return null
  const isOpen = feedback.state === 'open'
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={isOpen ? <IconCheck size={14} /> : <IconRestore size={14} />}
        onClick={() => void setState(isOpen ? 'closed' : 'open')}
      >
        {isOpen ? 'Close' : 'Reopen'}
      </Button>
      <Hint label="Delete">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Delete feedback"
          onClick={() => setIsDeleting(true)}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Hint>
      {isDeleting && (
        <ConfirmDialog
          title={feedbackText.deleteTitle}
          confirmLabel="Delete feedback"
          isDangerous
          onClose={() => setIsDeleting(false)}
          onConfirm={async () => {
            await api.deleteFeedback({ application_id: feedback.application_id, feedback_id: feedback.id })
            await changed()
          }}
        >
          {feedbackText.deleteWarning}
        </ConfirmDialog>
      )}
    </>
  )
}

/** Returns a function that reloads all feedback of an application. */
function useFeedbackChanged(applicationId: string) {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: applicationKey(applicationId, 'feedback') })
}

/** Returns a function that closes or reopens feedback, and offers to undo it. */
function useStateChange({ application_id, id }: Feedback) {
  const changed = useFeedbackChanged(application_id)
  async function setState(state: Feedback['state']): Promise<void> {
    try {
      await api.updateFeedback({ application_id, feedback_id: id, body: { state } })
      const undo = () => void setState(state === 'closed' ? 'open' : 'closed')
      showUndo(state === 'closed' ? feedbackText.closed : feedbackText.reopened, undo)
    } catch (error) {
      showFailure(error)
    } finally {
      await changed()
    }
  }
  return setState
}
