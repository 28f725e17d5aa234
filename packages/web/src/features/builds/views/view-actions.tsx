import { Menu } from '@mantine/core'
import type { View } from '@quayside/sdk'
import { viewText } from '../../../text/builds/views.ts'
import { IconPencil, IconPin, IconPinnedOff, IconTrash } from '../../../ui/icons/icons.ts'
import { RowMenu } from '../../../ui/menu/row-menu.tsx'
import { usePins } from '../../pins/pin.queries.ts'
import { useDeleteView, useMayChange } from './view.queries.ts'

/** What the person may do with an open view. */
export function ViewActions({ view, onEdit }: { view: View; onEdit: () => void }) {
  const { views, change } = usePins()
  const deleteView = useDeleteView(view)
  const mayChange = useMayChange(view)
  const isPinned = views.some(({ id }) => id === view.id)
  return (
    <RowMenu label={`Actions for ${view.name}`} isOfPage>
      <Menu.Item
        leftSection={isPinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
        onClick={() =>
          void change({ views: isPinned ? views.filter(({ id }) => id !== view.id) : [...views, view] })
        }
      >
        {isPinned ? viewText.unpin : viewText.pin}
      </Menu.Item>
      {mayChange && (
        <>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
            Edit view
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => void deleteView()}>
            Delete view
          </Menu.Item>
        </>
      )}
    </RowMenu>
  )
}
