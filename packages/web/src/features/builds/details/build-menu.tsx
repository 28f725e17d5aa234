import { Menu } from '@mantine/core'
import type { FullBuild } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { useDialogFocus } from '../../../ui/focus/use-dialog-focus.ts'
import {
  IconCopy,
  IconFolder,
  IconLink,
  IconLock,
  IconLockOpen,
  IconPackageExport,
  IconTerminal2,
  IconTrash,
} from '../../../ui/icons/icons.ts'
import { MoreButton } from '../../../ui/loading/more-button.tsx'
import { CopyItem } from '../../../ui/menu/copy-item.tsx'
import { MenuItemLink } from '../../../ui/menu/menu-item-link.tsx'
import { streamsQuery } from '../../streams/stream.queries.ts'
import { buildChanges } from '../build-changes.ts'
import { versionText } from '../build.queries.ts'
import { CommandsDialog } from './commands-dialog.tsx'
import { DeleteBuildDialog } from './delete-build-dialog.tsx'
import { useBuildChange } from './use-build-change.ts'

/** The less frequent actions of a build. */
export function BuildMenu({ build }: { build: FullBuild }) {
  const [dialog, setDialog] = useState<'commands' | 'delete'>()
  const { button, returnFocus } = useDialogFocus()
  const { can } = useSession()
  const change = useBuildChange(build)
  const applicationId = build.application_id
  const canWrite = can('builds:write', applicationId)
  const close = () => {
    setDialog(undefined)
    returnFocus()
  }
  const isHeld = build.kept_by.some(({ reason }) => reason !== 'keep_forever')
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <MoreButton ref={button} aria-label={`Actions for ${versionText(build)}`} />
        </Menu.Target>
        <Menu.Dropdown>
          {can('releases:create', applicationId) && <NewReleaseItem build={build} />}
          {canWrite && (
            <>
              <MoveItems build={build} />
              <KeepItem build={build} />
            </>
          )}
          <Menu.Divider />
          <CopyItem value={build.id} icon={<IconCopy size={16} />} label="Copy ID" />
          <CopyItem value={build.download_url} icon={<IconLink size={16} />} label="Copy API download URL" />
          <Menu.Item leftSection={<IconTerminal2 size={16} />} onClick={() => setDialog('commands')}>
            Commands and API
          </Menu.Item>
          {canWrite && (
            <>
              <Menu.Divider />
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} />}
                onClick={() => (isHeld ? setDialog('delete') : void change(buildChanges.delete()))}
              >
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'commands' && <CommandsDialog build={build} onClose={close} />}
      {dialog === 'delete' && <DeleteBuildDialog build={build} onClose={close} />}
    </>
  )
}

function NewReleaseItem({ build }: { build: FullBuild }) {
  return (
    <MenuItemLink
      leftSection={<IconPackageExport size={16} />}
      to="/applications/$applicationId/releases/new"
      params={{ applicationId: build.application_id }}
      search={{ builds: build.id }}
    >
      New release
    </MenuItemLink>
  )
}

function KeepItem({ build }: { build: FullBuild }) {
  const change = useBuildChange(build)
  return (
    <Menu.Item
      leftSection={build.keep_forever ? <IconLockOpen size={16} /> : <IconLock size={16} />}
      onClick={() => void change(build.keep_forever ? buildChanges.unkeep() : buildChanges.keep())}
    >
      {build.keep_forever ? 'Do not keep' : 'Keep forever'}
    </Menu.Item>
  )
}

function MoveItems({ build }: { build: FullBuild }) {
  const { data: streams = [] } = useQuery(streamsQuery(build.application_id))
  const change = useBuildChange(build)
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconFolder size={16} />}>Move to stream</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        {streams.map((stream) => (
          <Menu.Item
            key={stream.id}
            disabled={stream.id === build.stream.id}
            onClick={() => void change(buildChanges.move(stream, build.stream))}
          >
            {stream.name}
          </Menu.Item>
        ))}
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}
