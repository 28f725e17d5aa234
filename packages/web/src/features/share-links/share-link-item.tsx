import { ActionIcon, CopyButton, Popover, Text } from '@mantine/core'
import type { ShareLink } from '@quayside/sdk'
import {
  IconCheck,
  IconCopy,
  IconDownload,
  IconKey,
  IconPlayerPlay,
  IconPlugConnectedX,
  IconQrcode,
  IconTrash,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { shareLinkText } from '../../text/share-link.ts'
import { formatCount } from '../../ui/bytes.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Hint } from '../../ui/hint.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { absoluteTime } from '../../ui/time.ts'
import { showFailure, showUndo } from '../../ui/toast.tsx'
import classes from './share-link-list.module.css'
import { keyOfShareables, shareLinksQuery, stateOf, type Shareable } from './share-link.queries.ts'

type Props = { link: ShareLink; shareable: Shareable }

/** A share link with its limits and how often it was used. */
export function ShareLinkItem({ link, shareable }: Props) {
  const state = stateOf(link)
  const limit = link.max_downloads === null ? '' : ` of ${formatCount(link.max_downloads)}`
  return (
    <li className={classes.link} data-unusable={(state !== 'active' && state !== 'locked') || undefined}>
      <div>
        <div className={classes.url}>
          <Copyable value={link.url} label="share link" mono>
            {link.url.replace(/^https?:\/\//, '')}
          </Copyable>
        </div>
        <div className={classes.facts}>
          <span className={classes.state} data-state={state}>
            {state}
          </span>
          <span>
            <IconDownload size={13} aria-hidden />
            {formatCount(link.download_count)}
            {limit} {link.download_count === 1 && limit === '' ? 'download' : 'downloads'}
          </span>
          {link.password_protected && (
            <span>
              <IconKey size={13} aria-hidden /> password
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
        </div>
        {link.locked_until !== null && (
          <Text fz="xs" c="var(--q-warn)">
            {shareLinkText.locked(absoluteTime(link.locked_until))}
          </Text>
        )}
      </div>
      <ItemActions link={link} shareable={shareable} />
    </li>
  )
}

function ItemActions({ link, shareable }: Props) {
  const [isDeleting, setIsDeleting] = useState(false)
  const queryClient = useQueryClient()
  const { can } = useSession()
  const { queryKey } = shareLinksQuery(shareable)
  const canWrite = can('share_links:write', shareable.applicationId)

  async function setActive(isActive: boolean): Promise<void> {
    const show = (is_active: boolean) =>
      queryClient.setQueryData(queryKey, (links) =>
        links?.map((each) => (each.id === link.id ? { ...each, is_active } : each)),
      )
    show(isActive)
    try {
      await api.updateShareLink({ share_link_id: link.id, body: { is_active: isActive } })
      showUndo(isActive ? shareLinkText.reactivated : shareLinkText.revoked, () => void setActive(!isActive))
    } catch (error) {
      show(!isActive)
      showFailure(error)
    } finally {
      void queryClient.invalidateQueries({ queryKey: keyOfShareables(shareable) })
    }
  }

  return (
    <div className={classes.actions}>
      <CopyButton value={link.url}>
        {({ copied, copy }) => (
          <Hint label={copied ? 'Copied' : 'Copy link'}>
            <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label="Copy link">
              {copied ? <IconCheck size={16} color="var(--q-good)" /> : <IconCopy size={16} />}
            </ActionIcon>
          </Hint>
        )}
      </CopyButton>
      <Popover position="bottom-end" withArrow trapFocus returnFocus>
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" aria-label="QR code of the link">
            <IconQrcode size={16} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          <QrCode text={link.url} label="QR code of the share link" />
        </Popover.Dropdown>
      </Popover>
      {canWrite && (
        <>
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
