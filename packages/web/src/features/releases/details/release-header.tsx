import { Button, Menu } from '@mantine/core'
import type { FullRelease } from '@quayside/sdk'
import { useMemo, type ComponentType, type RefObject } from 'react'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { usePageActions } from '../../../frame/page-actions.ts'
import { releaseText } from '../../../text/releases/release.ts'
import { useDialogFocus } from '../../../ui/focus/use-dialog-focus.ts'
import { formatBytes, plural } from '../../../ui/format/bytes.ts'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import {
  IconCalendar,
  IconCopy,
  IconEyeOff,
  IconPencil,
  IconSend,
  IconTrash,
} from '../../../ui/icons/icons.ts'
import { MoreButton } from '../../../ui/loading/more-button.tsx'
import { CopyItem } from '../../../ui/menu/copy-item.tsx'
import { PageHeader } from '../../../ui/navigation/page-header.tsx'
import { LabelDot } from '../../../ui/status/label-dot.tsx'
import { showFailure, showUndo } from '../../../ui/toast.tsx'
import { ReleaseStatus } from '../release-status.tsx'
import { useReleaseTask, type ReleaseTask } from '../release-task.ts'
import { releasePath, useReleaseChange } from '../use-release-change.ts'
import { EditDialog } from './edit-dialog.tsx'
import { DeleteDialog, PublishDialog, ScheduleDialog, WithdrawDialog } from './release-dialogs.tsx'
import classes from './release-page.module.css'

const dialogs = {
  publish: PublishDialog,
  schedule: ScheduleDialog,
  withdraw: WithdrawDialog,
  edit: EditDialog,
  delete: DeleteDialog,
} satisfies Record<string, ComponentType<{ release: FullRelease; onClose: () => void }>>

type Action = keyof typeof dialogs

const isDialog = (task: ReleaseTask | undefined): task is Action => task !== undefined && task in dialogs

const publishLabels = { draft: 'Publish', scheduled: 'Publish now', withdrawn: 'Publish again' } as const

/** The version, title, status and facts of a release, with its one main action. */
export function ReleaseHeader({ release }: { release: FullRelease }) {
  const { task, start } = useReleaseTask()
  const { can } = useSession()
  const canWrite = can('releases:write', release.application_id)
  const { status } = release
  const { button, returnFocus } = useDialogFocus()
  const Dialog = isDialog(task) ? dialogs[task] : undefined
  usePageActions(
    useMemo(
      () =>
        !canWrite
          ? []
          : [
              status === 'published'
                ? { id: 'withdraw', label: 'Withdraw this release', onClick: () => start('withdraw') }
                : { id: 'publish', label: 'Publish this release', onClick: () => start('publish') },
              { id: 'edit-release', label: 'Edit this release', onClick: () => start('edit') },
              { id: 'add-builds', label: 'Add builds to this release', onClick: () => start('add-builds') },
              { id: 'edit-notes', label: 'Edit the notes of this release', onClick: () => start('notes') },
            ],
      [canWrite, status, start],
    ),
  )
  return (
    <>
      <PageHeader
        title={
          <>
            <span className="tabular">{release.version}</span>{' '}
            <span className={classes.title}>{release.title}</span>
          </>
        }
        documentTitle={`Release ${release.version}`}
        facts={<Facts release={release} />}
        actions={canWrite && <ReleaseActions release={release} onSelect={start} button={button} />}
      />
      {Dialog !== undefined && (
        <Dialog
          release={release}
          onClose={() => {
            start(undefined)
            if (task !== 'publish') returnFocus()
          }}
        />
      )}
    </>
  )
}

function Facts({ release }: { release: FullRelease }) {
  const { status, published_at: publishedAt, created_at: createdAt, builds, labels } = release
  const bytes = builds.reduce((sum, build) => sum + build.size_total_bytes, 0)
  return (
    <span className={classes.facts}>
      <ReleaseStatus release={release} />
      {status === 'published' && publishedAt !== null ? (
        <RelativeTime time={publishedAt} />
      ) : (
        <span>
          created <RelativeTime time={createdAt} />
        </span>
      )}
      <span>
        {plural(builds.length, 'build')}
        {bytes > 0 && ` · ${formatBytes(bytes)}`}
      </span>
      {labels.map(({ id, name, color }) => (
        <LabelDot key={id} name={name} color={color} />
      ))}
    </span>
  )
}

type MenuProps = {
  release: FullRelease
  onSelect: (action: Action) => void
  /** The button that gets the focus back when a dialog closes. */
  button: RefObject<HTMLButtonElement | null>
}

function ReleaseActions({ release, onSelect, button }: MenuProps) {
  const { status } = release
  return (
    <>
      {status === 'published' ? (
        <Button variant="default" leftSection={<IconEyeOff size={16} />} onClick={() => onSelect('withdraw')}>
          Withdraw
        </Button>
      ) : (
        <Button leftSection={<IconSend size={16} />} onClick={() => onSelect('publish')}>
          {publishLabels[status]}
        </Button>
      )}
      <MoreMenu release={release} onSelect={onSelect} button={button} />
    </>
  )
}

/** Returns a function that cancels a scheduled publication and offers to schedule it for the same time again. */
function useCancellation(release: FullRelease) {
  const change = useReleaseChange(release)
  const path = releasePath(release)
  return async () => {
    const { scheduled_for: time } = release
    await change(() => api.withdrawRelease(path))
    showUndo(
      releaseText.withdraw.canceled,
      time === null
        ? undefined
        : () => change(() => api.scheduleRelease({ ...path, body: { scheduled_for: time } })),
    )
  }
}

function MoreMenu({ release, onSelect, button }: MenuProps) {
  const { status, id } = release
  const cancelPublication = useCancellation(release)
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <MoreButton ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onSelect('edit')}>
          Edit version, title, labels
        </Menu.Item>
        {status !== 'published' && (
          <Menu.Item leftSection={<IconCalendar size={16} />} onClick={() => onSelect('schedule')}>
            {status === 'scheduled' ? 'Change the time' : 'Schedule'}
          </Menu.Item>
        )}
        {status === 'scheduled' && (
          <Menu.Item
            leftSection={<IconEyeOff size={16} />}
            onClick={() => void cancelPublication().catch(showFailure)}
          >
            Cancel the publication
          </Menu.Item>
        )}
        <CopyItem value={id} icon={<IconCopy size={16} />} label="Copy ID" />
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => onSelect('delete')}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
