import { Button, Menu } from '@mantine/core'
import type { SingleApplication, Stream } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type RefObject } from 'react'
import { useSession } from '../../../api/session.ts'
import { useDialogFocus } from '../../../ui/focus/use-dialog-focus.ts'
import { formatBytes, plural } from '../../../ui/format/bytes.ts'
import { IconLink, IconList, IconPencil, IconTrash } from '../../../ui/icons/icons.ts'
import { MoreButton } from '../../../ui/loading/more-button.tsx'
import { BackLink } from '../../../ui/navigation/back-link.tsx'
import { ButtonLink } from '../../../ui/navigation/button-link.tsx'
import { PageHeader } from '../../../ui/navigation/page-header.tsx'
import { joinValues } from '../../builds/list/build-list.search.ts'
import { StreamPermalinkDialog } from '../../permalinks/stream-permalink-dialog.tsx'
import { StreamFormDialog } from '../stream-form-dialog.tsx'
import { retentionSummaryQuery } from '../stream.queries.ts'
import { DeleteStreamDialog } from './delete-stream-dialog.tsx'
import { Retention } from './retention.tsx'

type Props = {
  application: Pick<SingleApplication, 'id' | 'name' | 'platforms'>
  stream: Stream
  streams: readonly Stream[]
}

type Dialog = 'edit' | 'delete' | 'permalink'

/** A stream with its retention and what that does to each of its builds. */
export function StreamDetails({ application, stream, streams }: Props) {
  const { id: applicationId } = application
  const [dialog, setDialog] = useState<Dialog>()
  const { can } = useSession()
  const canWrite = can('application:write', applicationId)
  const [isDeleting, setIsDeleting] = useState(false)
  const { data: summary } = useQuery({
    ...retentionSummaryQuery(applicationId, stream.id),
    enabled: !isDeleting,
  })
  const buildCount = summary === undefined ? 0 : summary.goes.builds + summary.stays.builds
  const bytes = summary === undefined ? 0 : summary.goes.size_total_bytes + summary.stays.size_total_bytes
  const { button, returnFocus } = useDialogFocus()
  const onClose = () => {
    if (dialog === 'delete') returnFocus()
    setDialog(undefined)
  }
  return (
    <>
      <BackLink to="/applications/$applicationId/streams" params={{ applicationId }}>
        Streams
      </BackLink>
      <PageHeader
        title={stream.name}
        documentTitle={`Stream ${stream.name}`}
        facts={
          <>
            {summary === undefined ? '\u00A0' : `${plural(buildCount, 'build')} · ${formatBytes(bytes)}`}
            {stream.description !== null && <div>{stream.description}</div>}
          </>
        }
        actions={
          <StreamActions
            applicationId={applicationId}
            stream={stream}
            canWrite={canWrite}
            menuButton={button}
            onOpen={setDialog}
          />
        }
      />
      <Retention applicationId={applicationId} stream={stream} canWrite={canWrite} isDeleting={isDeleting} />
      {dialog === 'edit' && (
        <StreamFormDialog applicationId={applicationId} stream={stream} onClose={onClose} />
      )}
      {dialog === 'permalink' && (
        <StreamPermalinkDialog application={application} stream={stream} onClose={onClose} />
      )}
      {dialog === 'delete' && (
        <DeleteStreamDialog
          applicationId={applicationId}
          stream={stream}
          others={streams.filter(({ id }) => id !== stream.id)}
          buildCount={buildCount}
          onDeleting={setIsDeleting}
          onClose={onClose}
        />
      )}
    </>
  )
}

type ActionsProps = {
  applicationId: string
  stream: Stream
  canWrite: boolean
  menuButton: RefObject<HTMLButtonElement | null>
  onOpen: (dialog: Dialog) => void
}

function StreamActions({ applicationId, stream, canWrite, menuButton, onOpen }: ActionsProps) {
  return (
    <>
      <ButtonLink
        variant="default"
        leftSection={<IconList size={16} />}
        to="/applications/$applicationId"
        params={{ applicationId }}
        search={{ streams: joinValues([stream.name]) }}
      >
        Builds
      </ButtonLink>
      <Button variant="default" leftSection={<IconLink size={16} />} onClick={() => onOpen('permalink')}>
        Permalink
      </Button>
      {canWrite && (
        <>
          <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => onOpen('edit')}>
            Edit
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <MoreButton ref={menuButton} />
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => onOpen('delete')}>
                Delete
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      )}
    </>
  )
}
