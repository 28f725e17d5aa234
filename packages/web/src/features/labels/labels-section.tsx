import { Button, Menu } from '@mantine/core'
import type { Label } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { inEveryOwner } from '../../api/query-keys.ts'
import { useSession } from '../../api/session.ts'
import { labelText } from '../../text/builds/labels.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconArrowUp, IconPencil, IconPlus, IconTag, IconTrash } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { LabelDot } from '../../ui/status/label-dot.tsx'
import { showDone } from '../../ui/toast.tsx'
import { LabelDialog } from './label-dialog.tsx'
import { deleteLabel, labelListQuery } from './label.queries.ts'

type Dialog = { type: 'new' } | { type: 'edit' | 'delete' | 'promote'; label: Label }

/** The labels of an application, or of the workspace without an ID. */
export function LabelsSection({ applicationId }: { applicationId?: string }) {
  const query = useQuery(labelListQuery(applicationId))
  const { can } = useSession()
  const [dialog, setDialog] = useState<Dialog>()
  const canEdit =
    applicationId === undefined ? can('workspace:write') : can('application:write', applicationId)
  return (
    <SettingsSection
      title="Labels"
      description={applicationId === undefined ? labelText.ofWorkspace : labelText.ofApplication}
      action={
        canEdit && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setDialog({ type: 'new' })}>
            New label
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(labels) =>
          labels.length === 0 ? (
            <NoLabels applicationId={applicationId} />
          ) : (
            <ItemList label="Labels">
              {labels.map((label) => (
                <LabelItem
                  key={label.id}
                  label={label}
                  isInherited={applicationId !== undefined && label.level === 'workspace'}
                  canEdit={canEdit}
                  canPromote={applicationId !== undefined && can('workspace:write')}
                  onOpen={(type) => setDialog({ type, label })}
                />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      {dialog !== undefined && (
        <LabelDialogs applicationId={applicationId} dialog={dialog} onClose={() => setDialog(undefined)} />
      )}
    </SettingsSection>
  )
}

type DialogsProps = { applicationId: string | undefined; dialog: Dialog; onClose: () => void }

function LabelDialogs({ applicationId, dialog, onClose }: DialogsProps) {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ predicate: inEveryOwner('labels') })
  if (dialog.type === 'new' || dialog.type === 'edit')
    return (
      <LabelDialog
        applicationId={applicationId}
        label={dialog.type === 'edit' ? dialog.label : undefined}
        onSaved={refresh}
        onClose={onClose}
      />
    )
  const { id, name } = dialog.label
  const isDelete = dialog.type === 'delete'
  return (
    <ConfirmDialog
      title={isDelete ? labelText.deleteTitle(name) : labelText.promoteTitle(name)}
      confirmLabel={isDelete ? 'Delete label' : 'Move to the workspace'}
      isDangerous={isDelete}
      onClose={onClose}
      onConfirm={async () => {
        const { message } = isDelete
          ? await deleteLabel(applicationId, id)
          : await api.promoteLabel({ application_id: applicationId ?? '', label_identifier: id })
        showDone(message)
        await refresh()
      }}
    >
      {isDelete ? labelText.delete : labelText.promote}
    </ConfirmDialog>
  )
}

type ItemProps = {
  label: Label
  isInherited: boolean
  canEdit: boolean
  canPromote: boolean
  onOpen: (type: 'edit' | 'delete' | 'promote') => void
}

function LabelItem({ label, isInherited, canEdit, canPromote, onOpen }: ItemProps) {
  const { name, color, description } = label
  return (
    <Item
      title={<LabelDot name={name} color={color} />}
      detail={description}
      end={isInherited && labelText.fromWorkspace}
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

function NoLabels({ applicationId }: { applicationId: string | undefined }) {
  const target = applicationId === undefined ? ' --workspace' : ` --application ${applicationId}`
  return (
    <EmptyState
      icon={<IconTag size={22} />}
      title="No labels yet"
      action={<CommandLine code={`quayside labels create qa-passed${target} --color "#30a46c"`} />}
    >
      {labelText.none}
    </EmptyState>
  )
}
