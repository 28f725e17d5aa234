import { Kbd, Modal, Table } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { setOpenShortcuts } from './shortcuts-store.ts'

const rows: [string[], string][] = [
  [['Ctrl', 'K'], 'Search, go to a page or run an action (⌘ K on a Mac)'],
  [['/'], 'Search in the list'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open the row'],
  [['x'], 'Select the row'],
  [['u'], 'Upload builds'],
  [['Esc'], 'Close a dialog or clear the selection'],
  [['?'], 'Show this list'],
]

/** Handles the shortcuts that work on every page and shows the list of all shortcuts. */
export function Shortcuts() {
  const [isOpen, setIsOpen] = useState(false)
  const navigate = useNavigate()
  useEffect(() => setOpenShortcuts(() => setIsOpen(true)), [])
  useHotkeys([
    ['shift+?', () => setIsOpen(true)],
    ['?', () => setIsOpen(true)],
    ['u', () => void navigate({ to: '/upload' })],
    ['/', () => document.querySelector<HTMLInputElement>('input[data-list-search]')?.focus()],
  ])
  return (
    <Modal opened={isOpen} onClose={() => setIsOpen(false)} title="Keyboard shortcuts">
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
