import { Box, Button, Menu } from '@mantine/core'
import type { CustomTarget } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { inEveryOwner } from '../../api/query-keys.ts'
import { useSession } from '../../api/session.ts'
import { customTargetText } from '../../text/builds/custom-targets.ts'
import { platforms as allPlatforms } from '../../text/builds/platforms.ts'
import { confirmText } from '../../text/confirmations.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconArrowUp, IconDeviceDesktopCog, IconPencil, IconPlus, IconTrash } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PlatformIcon } from '../../ui/platform-icon.tsx'
import { showDone } from '../../ui/toast.tsx'
import { platformsQuery } from '../applications/platform.queries.ts'
import { workspaceQuery } from '../workspace/workspace.queries.ts'
import { CustomTargetDialog } from './custom-target-dialog.tsx'
import { customTargetListQuery, deleteCustomTarget } from './custom-target.queries.ts'
import { CustomTargetsSwitch } from './custom-targets-switch.tsx'

type Dialog = { type: 'new' } | { type: 'edit' | 'delete' | 'promote'; id: string }

/** The custom targets of an application, or of the workspace without an ID. */
export function CustomTargetsSection({ applicationId }: { applicationId?: string }) {
  const query = useQuery(customTargetListQuery(applicationId))
  const { data: workspace } = useQuery(workspaceQuery)
  const { can } = useSession()
  const [dialog, setDialog] = useState<Dialog>()
  const isWorkspace = applicationId === undefined
  const canEdit = isWorkspace ? can('workspace:write') : can('application:write', applicationId)
  const isOn = workspace?.custom_targets_enabled !== false
  return (
    <SettingsSection
      title="Custom targets"
      description={isWorkspace ? customTargetText.ofWorkspace : customTargetText.ofApplication}
      action={
        canEdit &&
        isOn && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setDialog({ type: 'new' })}>
            New custom target
          </Button>
        )
      }
    >
      {isWorkspace && workspace !== undefined && <CustomTargetsSwitch workspace={workspace} />}
      {!isWorkspace && !isOn && (
        <Box mb="md">
          <Notice kind="warn">{customTargetText.off}</Notice>
        </Box>
      )}
      <Loaded query={query}>
        {(targets) =>
          targets.length === 0 ? (
            <EmptyState icon={<IconDeviceDesktopCog size={22} />} title="No custom targets yet">
              {customTargetText.none}
            </EmptyState>
          ) : (
            <ItemList label="Custom targets">
              {targets.map((target) => (
                <TargetItem
                  key={target.id}
                  target={target}
                  isInherited={!isWorkspace && target.level === 'workspace'}
                  canEdit={canEdit}
                  canPromote={!isWorkspace && can('workspace:write')}
                  onOpen={(type) => setDialog({ type, id: target.id })}
                />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      {dialog !== undefined && (
        <TargetDialogs
          applicationId={applicationId}
          dialog={dialog}
          target={dialog.type === 'new' ? undefined : query.data?.find((each) => each.id === dialog.id)}
          onClose={() => setDialog(undefined)}
        />
      )}
    </SettingsSection>
  )
}

type DialogsProps = {
  applicationId: string | undefined
  dialog: Dialog
  target: CustomTarget | undefined
  onClose: () => void
}

function TargetDialogs({ applicationId, dialog, target, onClose }: DialogsProps) {
  const queryClient = useQueryClient()
  const own = useQuery({ ...platformsQuery(applicationId ?? ''), enabled: applicationId !== undefined })
  const refresh = () => queryClient.invalidateQueries({ predicate: inEveryOwner('custom-targets') })
  const platforms = applicationId === undefined ? allPlatforms : own.data
  if (dialog.type === 'new' || dialog.type === 'edit')
    // The form starts with the first platform, so it has to wait for the list.
    return platforms === undefined ? null : (
      <CustomTargetDialog
        applicationId={applicationId}
        target={target}
        platforms={platforms}
        onSaved={refresh}
        onClose={onClose}
      />
    )
  if (target === undefined) return null
  const isDelete = dialog.type === 'delete'
  return (
    <ConfirmDialog
      title={isDelete ? confirmText.delete(target.name) : customTargetText.promoteTitle(target.name)}
      confirmLabel={isDelete ? 'Delete custom target' : 'Move to the workspace'}
      isDangerous={isDelete}
      onClose={onClose}
      onConfirm={async () => {
        const path = { application_id: applicationId ?? '', target_identifier: target.id }
        const { message } = isDelete
          ? await deleteCustomTarget(applicationId, target.id)
          : await api.promoteCustomTarget(path)
        showDone(message)
        await refresh()
      }}
    >
      {isDelete ? customTargetText.delete : customTargetText.promote}
    </ConfirmDialog>
  )
}

type ItemProps = {
  target: CustomTarget
  isInherited: boolean
  canEdit: boolean
  canPromote: boolean
  onOpen: (type: 'edit' | 'delete' | 'promote') => void
}

function TargetItem({ target, isInherited, canEdit, canPromote, onOpen }: ItemProps) {
  const { name, description, platform, icon_url: url } = target
  return (
    <Item
      leading={
        url === null ? (
          <PlatformIcon platform={platform} size={24} />
        ) : (
          <ApplicationIcon name={name} url={url} size={28} />
        )
      }
      title={name}
      detail={
        <>
          <span>{platform.name}</span>
          {description !== null && <span>{description}</span>}
        </>
      }
      end={isInherited && customTargetText.fromWorkspace}
      menu={
        canEdit &&
        !isInherited && (
          <RowMenu label={`Actions for ${name}`}>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onOpen('edit')}>
              Edit
            </Menu.Item>
            {canPromote && (
              <Menu.Item leftSection={<IconArrowUp size={16} />} onClick={() => onOpen('promote')}>
                Move to the workspace
              </Menu.Item>
            )}
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => onOpen('delete')}>
              Delete
            </Menu.Item>
          </RowMenu>
        )
      }
    />
  )
}
