import { Menu } from '@mantine/core'
import type { usePins } from '../features/pins/pin.queries.ts'
import { pinText } from '../text/pins.ts'
import { IconArrowDown, IconArrowUp, IconPin, IconPinnedOff } from '../ui/icons/icons.ts'
import { RowMenu } from '../ui/menu/row-menu.tsx'

type Move = (id: string, position: number) => void
type Props = { id: string; name: string; pins: ReturnType<typeof usePins>; move: Move }

/** The menu of an application in the sidebar, which pins and moves it. */
export function ApplicationActions({ id, name, pins, move }: Props) {
  const isPinned = pins.applicationIds.includes(id)
  const others = pins.applicationIds.filter((each) => each !== id)
  return (
    <RowMenu label={pinText.actions(name)}>
      <Menu.Item
        leftSection={isPinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
        onClick={() => void pins.change({ application_ids: isPinned ? others : [...others, id] })}
      >
        {isPinned ? pinText.unpin : pinText.pin}
      </Menu.Item>
      {isPinned && <MoveItems id={id} ids={pins.applicationIds} move={move} />}
    </RowMenu>
  )
}

type MoveProps = { id: string; ids: readonly string[]; move: Move }

function MoveItems({ id, ids, move }: MoveProps) {
  const position = ids.indexOf(id)
  return (
    <>
      <Menu.Item
        leftSection={<IconArrowUp size={16} />}
        rightSection={<span className="soft">Alt ↑</span>}
        disabled={position === 0}
        onClick={() => move(id, position - 1)}
      >
        {pinText.moveUp}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowDown size={16} />}
        rightSection={<span className="soft">Alt ↓</span>}
        disabled={position === ids.length - 1}
        onClick={() => move(id, position + 1)}
      >
        {pinText.moveDown}
      </Menu.Item>
    </>
  )
}
