import { ActionIcon, Menu, type ActionIconProps } from '@mantine/core'
import type { ListedBuild } from '@quayside/sdk'
import type { ComponentPropsWithRef } from 'react'
import { useSession } from '../../../api/session.ts'
import { buildText } from '../../../text/builds/build.ts'
import { CopyButton } from '../../../ui/copy/copy-button.tsx'
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
import { useBuildAction, type BuildAction } from '../build-actions.ts'
import { buildChanges } from '../build-changes.ts'
import { platformsOf, versionText } from '../build.queries.ts'
import { downloadBuild } from '../download-build.ts'
import classes from './build-table.module.css'

type Builds = { applicationId: string; builds: readonly ListedBuild[] }

/** The QR code, the link and the menu of a row. A row with several builds has only the menu. */
export function BuildRowActions({ applicationId, builds }: Builds) {
  const [build, ...others] = builds
  if (build === undefined) return null
  return (
    <>
      {others.length === 0 && <PageLinks build={build} />}
      <BuildMenu applicationId={applicationId} builds={builds} />
    </>
  )
}

function PageLinks({ build }: { build: ListedBuild }) {
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

/** The menu of a row, whose actions depend on the builds and on what the person may do. */
function BuildMenu({ applicationId, builds }: Builds) {
  const [build] = builds
  if (build === undefined) return null
  const name = builds.length === 1 ? versionText(build) : buildText.group.builds(build, builds.length)
  return (
    <MenuButton
      position="bottom-end"
      width={200}
      button={
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
          <IconDots size={16} />
        </ActionIcon>
      }
    >
      {() => <BuildMenuItems applicationId={applicationId} builds={builds} />}
    </MenuButton>
  )
}

function BuildMenuItems({ applicationId, builds }: Builds) {
  const { can } = useSession()
  const [build, ...others] = builds
  if (build === undefined) return null
  const isTrashed = build.deleted_at !== undefined
  return (
    <>
      {!isTrashed && <DownloadItems applicationId={applicationId} builds={builds} />}
      {!isTrashed && can('releases:create', applicationId) && (
        <MenuItemLink
          leftSection={<IconPackageExport size={16} />}
          to="/applications/$applicationId/releases/new"
          params={{ applicationId }}
          search={{ builds: builds.map(({ id }) => id).join(',') }}
        >
          New release
        </MenuItemLink>
      )}
      {others.length === 0 && (
        <>
          <CopyItem value={build.modal_url} icon={<IconLink size={16} />} label="Copy link" />
          <CopyItem value={build.id} icon={<IconCopy size={16} />} label="Copy ID" />
        </>
      )}
      {can('builds:write', applicationId) && <ChangeItems applicationId={applicationId} builds={builds} />}
    </>
  )
}

/** Offers the newest build of each platform. */
function DownloadItems({ applicationId, builds }: Builds) {
  const newest = platformsOf(builds).flatMap(
    ({ identifier }) => builds.find(({ platform }) => platform.identifier === identifier) ?? [],
  )
  return newest.map(({ id, platform }) => (
    <Menu.Item
      key={id}
      leftSection={<IconDownload size={16} />}
      onClick={() => void downloadBuild(applicationId, id)}
    >
      {builds.length === 1 ? 'Download' : buildText.downloadFor(platform.name)}
    </Menu.Item>
  ))
}

function ChangeItems({ applicationId, builds }: Builds) {
  const run = useBuildAction(applicationId)
  const apply = (action: BuildAction) => void run(builds, action)
  if (builds.every(({ deleted_at: deletedAt }) => deletedAt !== undefined))
    return (
      <Menu.Item leftSection={<IconRestore size={16} />} onClick={() => apply(buildChanges.restore())}>
        Restore
      </Menu.Item>
    )
  const areKept = builds.every(({ keep_forever: isKept }) => isKept)
  return (
    <>
      <Menu.Item
        leftSection={areKept ? <IconLockOpen size={16} /> : <IconLock size={16} />}
        onClick={() => apply(areKept ? buildChanges.unkeep() : buildChanges.keep())}
      >
        {areKept ? 'Do not keep' : 'Keep forever'}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        color="red"
        leftSection={<IconTrash size={16} />}
        onClick={() => apply(buildChanges.delete())}
      >
        Delete
      </Menu.Item>
    </>
  )
}
