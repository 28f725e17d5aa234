import { ActionIcon, Menu, type ActionIconProps } from '@mantine/core'
import type { ListedBuild } from '@quayside/sdk'
import type { ComponentPropsWithRef } from 'react'
import { useSession } from '../../../api/session.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Hint } from '../../../ui/hint.tsx'
import {
  IconCheck,
  IconCopy,
  IconDots,
  IconDownload,
  IconLink,
  IconLock,
  IconLockOpen,
  IconPackageExport,
  IconQrcode,
  IconRestore,
  IconTrash,
} from '../../../ui/icons/icons.ts'
import { CopyItem } from '../../../ui/menu/copy-item.tsx'
import { MenuButton } from '../../../ui/menu/menu-button.tsx'
import { MenuItemLink } from '../../../ui/menu/menu-item-link.tsx'
import { QrCodeButton } from '../../../ui/phone/qr-code-button.tsx'
import { useBuildAction } from '../build-actions.ts'
import { buildChanges } from '../build-changes.ts'
import { versionText } from '../build.queries.ts'
import { downloadBuild } from '../download-build.ts'
import classes from './build-table.module.css'

type Props = { applicationId: string; build: ListedBuild }

/** The QR code, the link and the menu of a row. */
export function BuildRowActions({ applicationId, build }: Props) {
  const label = versionText(build)
  return (
    <>
      <QrCodeButton
        url={build.modal_url}
        label={label}
        position="left"
        button={
          <HintedAction label="QR code" aria-label={`QR code of ${label}`}>
            <IconQrcode size={16} />
          </HintedAction>
        }
      />
      <CopyButton value={build.modal_url}>
        {({ copied, copy }) => (
          <HintedAction
            label={copied ? 'Copied' : 'Copy link'}
            aria-label={`Copy link to ${label}`}
            onClick={copy}
          >
            {copied ? <IconCheck size={16} color="var(--q-good)" /> : <IconLink size={16} />}
          </HintedAction>
        )}
      </CopyButton>
      <BuildMenu applicationId={applicationId} build={build} />
    </>
  )
}

type ActionProps = ActionIconProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps> & { label: string }

/** A button that appears when the row has the pointer or the focus. */
function HintedAction({ label, ...button }: ActionProps) {
  return (
    <Hint label={label}>
      <ActionIcon className={classes.action} variant="subtle" color="gray" {...button} />
    </Hint>
  )
}

/** The menu of a row, whose actions depend on the build and on what the person may do. */
function BuildMenu({ applicationId, build }: Props) {
  return (
    <MenuButton
      position="bottom-end"
      width={200}
      button={
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${versionText(build)}`}>
          <IconDots size={16} />
        </ActionIcon>
      }
    >
      {() => <BuildMenuItems applicationId={applicationId} build={build} />}
    </MenuButton>
  )
}

function BuildMenuItems({ applicationId, build }: Props) {
  const { can } = useSession()
  const isTrashed = build.deleted_at !== undefined
  return (
    <>
      {!isTrashed && (
        <Menu.Item
          leftSection={<IconDownload size={16} />}
          onClick={() => void downloadBuild(applicationId, build.id)}
        >
          Download
        </Menu.Item>
      )}
      {!isTrashed && can('releases:create', applicationId) && (
        <MenuItemLink
          leftSection={<IconPackageExport size={16} />}
          to="/applications/$applicationId/releases/new"
          params={{ applicationId }}
          search={{ builds: build.id }}
        >
          New release
        </MenuItemLink>
      )}
      <CopyItem value={build.modal_url} icon={<IconLink size={16} />} label="Copy link" />
      <CopyItem value={build.id} icon={<IconCopy size={16} />} label="Copy ID" />
      {can('builds:write', applicationId) && <ChangeItems applicationId={applicationId} build={build} />}
    </>
  )
}

function ChangeItems({ applicationId, build }: Props) {
  const run = useBuildAction(applicationId)
  if (build.deleted_at !== undefined)
    return (
      <Menu.Item
        leftSection={<IconRestore size={16} />}
        onClick={() => void run([build], buildChanges.restore())}
      >
        Restore
      </Menu.Item>
    )
  return (
    <>
      <Menu.Item
        leftSection={build.keep_forever ? <IconLockOpen size={16} /> : <IconLock size={16} />}
        onClick={() => void run([build], build.keep_forever ? buildChanges.unkeep() : buildChanges.keep())}
      >
        {build.keep_forever ? 'Do not keep' : 'Keep forever'}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        color="red"
        leftSection={<IconTrash size={16} />}
        onClick={() => void run([build], buildChanges.delete())}
      >
        Delete
      </Menu.Item>
    </>
  )
}
