import { Kbd, Modal, Table } from '@mantine/core'
import { useReturnFocus } from '../ui/focus/use-return-focus.ts'

const rows: [string[], string][] = [
  [['Ctrl', 'K'], 'Search, go to a page or run an action (⌘ K on a Mac)'],
  [['a'], 'Switch to another application'],
  [['/'], 'Search in the list'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open the row'],
  [['x'], 'Select the row'],
  [['Shift', 'F10'], 'Show the actions of the row (or use the right mouse button)'],
  [['Alt', '↑'], 'Move a pinned application up (↓ moves it down)'],
  [['i'], 'Open the inbox'],
  [['u'], 'Upload builds'],
  [['Esc'], 'Close a dialog or clear the selection'],
  [['?'], 'Show this list'],
]

/** The list of all shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts">
      <Table>
        <Table.Tbody>
          {rows.map(([keys, meaning]) => (
            <Table.Tr key={meaning}>
              <Table.Td w="7rem">
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
