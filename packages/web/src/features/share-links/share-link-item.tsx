import { ActionIcon, Text } from '@mantine/core'
import type { ShareLink } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { shareLinkText } from '../../text/distribution/share-link.ts'
import { CopyIcon } from '../../ui/copy/copy-icon.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { formatCount } from '../../ui/format/bytes.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { absoluteTime } from '../../ui/format/time.ts'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { Hint } from '../../ui/hint.tsx'
import {
  IconDownload,
  IconKey,
  IconMessage,
  IconPlayerPlay,
  IconPlugConnectedX,
  IconTrash,
} from '../../ui/icons/icons.ts'
import { Item } from '../../ui/item-list.tsx'
import { QrCodeButton } from '../../ui/phone/qr-code-button.tsx'
import { showFailure, showUndo } from '../../ui/toast.tsx'
import classes from './share-link-list.module.css'
import { keyOfShareables, shareLinksQuery, stateOf, type Shareable } from './share-link.queries.ts'

type Props = { link: ShareLink; shareable: Shareable }

/** A share link with its limits and how often it was used. */
export function ShareLinkItem({ link, shareable }: Props) {
  const state = stateOf(link)
  const limit = link.max_downloads === null ? '' : ` of ${formatCount(link.max_downloads)}`
  return (
    <Item
      isMuted={state !== 'active' && state !== 'locked'}
      title={
        <span className={classes.url}>
          <Copyable value={link.short_url} label="share link" mono>
            {link.short_url.replace(/^https?:\/\//, '')}
          </Copyable>
        </span>
      }
      detail={
        <>
          <span className={classes.state} data-state={state}>
            {state}
          </span>
          <span>
            <IconDownload size={13} className={classes.icon} aria-hidden /> {formatCount(link.download_count)}
            {limit} {link.download_count === 1 && limit === '' ? 'download' : 'downloads'}
          </span>
          {link.password_protected && (
            <span>
              <IconKey size={13} className={classes.icon} aria-hidden /> password
            </span>
          )}
          {link.feedback_enabled && (
            <span>
              <IconMessage size={13} className={classes.icon} aria-hidden /> feedback
            </span>
          )}
          <span>
            {link.expires_at === null ? (
              'never expires'
            ) : (
              <>
                {link.expired ? 'expired' : 'expires'} <RelativeTime time={link.expires_at} />
              </>
            )}
          </span>
          <span>
            created <RelativeTime time={link.created_at} />
          </span>
        </>
      }
      end={<ItemActions link={link} shareable={shareable} />}
    >
      {link.locked_until === null ? null : (
        <Text fz="xs" c="var(--q-warn)">
          {shareLinkText.locked(absoluteTime(link.locked_until))}
        </Text>
      )}
    </Item>
  )
}

function ItemActions({ link, shareable }: Props) {
  const [isDeleting, setIsDeleting] = useState(false)
  const queryClient = useQueryClient()
  const { can } = useSession()
  const canWrite = can('share_links:write', shareable.applicationId)
  const setActive = useActivation({ link, shareable })

  return (
    <div className={classes.actions}>
      <CopyIcon value={link.short_url} label="link" />
      <QrCodeButton url={link.short_url} label={`the shared ${shareable.type}`} position="bottom-end" />
      {canWrite && (
        <>
          <FeedbackButton link={link} shareable={shareable} />
          <Hint label={link.is_active ? 'Revoke' : 'Reactivate'}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={link.is_active ? 'Revoke the link' : 'Reactivate the link'}
              onClick={() => void setActive(!link.is_active)}
            >
              {link.is_active ? <IconPlugConnectedX size={16} /> : <IconPlayerPlay size={16} />}
            </ActionIcon>
          </Hint>
          <Hint label="Delete">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Delete the link"
              onClick={() => setIsDeleting(true)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Hint>
        </>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={shareLinkText.deleteTitle}
          confirmLabel="Delete share link"
          isDangerous
          onClose={() => setIsDeleting(false)}
          onConfirm={async () => {
            await api.deleteShareLink({ share_link_id: link.id })
            await queryClient.invalidateQueries({ queryKey: keyOfShareables(shareable) })
          }}
        >
          {shareLinkText.deleteWarning}
        </ConfirmDialog>
      )}
    </div>
  )
}

/** Returns a function that revokes or reactivates a link, and shows the change at once. */
function useActivation({ link, shareable }: Props) {
  const queryClient = useQueryClient()
  const { queryKey } = shareLinksQuery(shareable)

  async function setActive(isActive: boolean): Promise<void> {
    const show = (is_active: boolean) =>
      queryClient.setQueryData(queryKey, (links) =>
        links?.map((each) => (each.id === link.id ? { ...each, is_active } : each)),
      )
    show(isActive)
    try {
      await api.updateShareLink({ share_link_id: link.id, body: { is_active: isActive } })
      showUndo(isActive ? shareLinkText.reactivated : shareLinkText.revoked, () => setActive(!isActive))
    } catch (error) {
      show(!isActive)
      showFailure(error)
    } finally {
      void queryClient.invalidateQueries({ queryKey: keyOfShareables(shareable) })
    }
  }

  return setActive
}

/** Turns the feedback of visitors on or off. */
function FeedbackButton({ link, shareable }: Props) {
  const queryClient = useQueryClient()
  const label = link.feedback_enabled ? 'Turn off feedback' : 'Turn on feedback'
  async function change(feedback_enabled: boolean): Promise<void> {
    try {
      await api.updateShareLink({ share_link_id: link.id, body: { feedback_enabled } })
      const undo = () => void change(!feedback_enabled)
      showUndo(feedback_enabled ? shareLinkText.feedbackOn : shareLinkText.feedbackOff, undo)
    } catch (error) {
      showFailure(error)
    } finally {
      void queryClient.invalidateQueries({ queryKey: keyOfShareables(shareable) })
    }
  }
  return (
    <Hint label={label}>
      <ActionIcon
        variant="subtle"
        color={link.feedback_enabled ? undefined : 'gray'}
        aria-label={label}
        onClick={() => void change(!link.feedback_enabled)}
      >
        <IconMessage size={16} />
      </ActionIcon>
    </Hint>
  )
}
