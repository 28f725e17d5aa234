import { Menu } from '@mantine/core'
import type { Device } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { confirmText } from '../../text/confirmations.ts'
import { deviceText } from '../../text/distribution/devices.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { IconPencil, IconTrash } from '../../ui/icons/icons.ts'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { DeviceDialog } from './device-dialog.tsx'
import { reloadDevices } from './device.queries.ts'

type Action = { name: 'edit' | 'delete'; device: Device }

/** The devices of the workspace, which people with the scope rename and delete. */
export function DeviceTable({ devices }: { devices: readonly Device[] }) {
  const queryClient = useQueryClient()
  const canEdit = useSession().can('distribution_groups:write')
  const [action, setAction] = useState<Action>()
  const close = () => setAction(undefined)
  async function remove({ id }: Device): Promise<void> {
    await api.deleteDevice({ device_id: id })
    await reloadDevices(queryClient)
  }
  return (
    <>
      <DataTable
        label="Devices"
        columns={columnsOf(canEdit ? setAction : undefined)}
        rows={devices}
        keyOf={({ id }) => id}
      />
      {action?.name === 'edit' && <DeviceDialog device={action.device} onClose={close} />}
      {action?.name === 'delete' && (
        <ConfirmDialog
          title={confirmText.delete(action.device.name)}
          confirmLabel="Delete device"
          onConfirm={() => remove(action.device)}
          onClose={close}
        >
          {deviceText.deletion}
        </ConfirmDialog>
      )}
    </>
  )
}

const columnsOf = (act: ((action: Action) => void) | undefined): Column<Device>[] => [
  {
    id: 'name',
    label: 'Name',
    width: 'minmax(0, 1.2fr)',
    hasLines: true,
    cell: ({ name, email }) => (
      <div>
        <div>{name}</div>
        {email !== null && <div className="soft">{email}</div>}
      </div>
    ),
  },
  {
    id: 'product',
    label: 'Product',
    width: 'minmax(0, 1fr)',
    cell: ({ product, product_name: productName }) => (
      <span className="soft">{productName ?? product ?? 'Unknown'}</span>
    ),
  },
  {
    id: 'udid',
    label: 'UDID',
    width: 'minmax(0, 1.4fr)',
    isInteractive: true,
    cell: ({ udid }) => <Copyable value={udid} label="UDID" />,
  },
  {
    id: 'source',
    label: 'Added',
    width: 'minmax(0, 1fr)',
    hiddenBelow: 'medium',
    hasLines: true,
    cell: ({ source, created_at: createdAt }) => (
      <div className="soft">
        <div>{deviceText.sources[source]}</div>
        <RelativeTime time={createdAt} />
      </div>
    ),
  },
  ...(act === undefined ? [] : [menuColumn(act)]),
]

const menuColumn = (act: (action: Action) => void): Column<Device> => ({
  id: 'menu',
  label: 'Actions',
  isLabelHidden: true,
  width: '2.75rem',
  isAtEnd: true,
  isInteractive: true,
  cell: (device) => (
    <RowMenu label={`Actions for ${device.name}`}>
      <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => act({ name: 'edit', device })}>
        Rename
      </Menu.Item>
      <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => act({ name: 'delete', device })}>
        Delete
      </Menu.Item>
    </RowMenu>
  ),
})
