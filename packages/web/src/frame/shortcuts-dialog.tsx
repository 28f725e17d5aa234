import { Kbd, Modal, Table, Title } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useReturnFocus } from '../ui/focus/use-return-focus.ts'
import { listPageActions } from './page-actions.ts'

type Row = [keys: string[], meaning: string]

const everywhere: Row[] = [
  [['Ctrl', 'K'], 'Search, go to a page or run an action (⌘ K on a Mac)'],
  [['Ctrl', 'Z'], 'Undo the latest change (⌘ Z on a Mac)'],
  [['a'], 'Switch to another application'],
  [['i'], 'Open the inbox'],
  [['u'], 'Upload builds'],
  [['Shift', 'F10'], 'Show the actions of the row (or use the right mouse button)'],
  [['Alt', '↑'], 'Move a pinned application up (↓ moves it down)'],
  [['Esc'], 'Close a dialog or clear the selection'],
  [['?'], 'Show this list'],
]

const inLists: Row[] = [
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open the row'],
]

const inBuilds: Row[] = [
  [['x'], 'Select the row'],
  [['Shift', 'x'], 'Select the rows up to this one'],
  [['→'], 'Show the builds of the version (← hides them)'],
]

/** The list of all shortcuts of the page. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  useReturnFocus()
  const rows = usePageShortcuts()
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts">
      {rows.length > 0 && <Shortcuts title="This page" rows={rows} />}
      <Shortcuts title="Every page" rows={everywhere} />
    </Modal>
  )
}

function Shortcuts({ title, rows }: { title: string; rows: readonly Row[] }) {
  return (
    <>
      <Title order={3} fz="sm" mt="xs" mb={4}>
        {title}
      </Title>
      <Table mb="md">
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
    </>
  )
}

/** Returns the shortcuts that depend on what the page contains. */
function usePageShortcuts(): Row[] {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const isBuildList = /\/applications\/[^/]+(\/views\/[^/]+)?\/?$/.test(path)
  const has = (selector: string) => document.querySelector(selector) !== null
  const isList = isBuildList || has('[data-row-link], [data-request]')
  const [action] = listPageActions()
  return [
    ...(has('input[data-list-search]') ? [[['/'], 'Search in the list'] satisfies Row] : []),
    ...(isList ? inLists : []),
    ...(isBuildList ? inBuilds : []),
    ...(has('form[data-saves-by-key]') ? [[['Ctrl', 'Enter'], 'Save the notes'] satisfies Row] : []),
    ...(action === undefined
      ? []
      : [[['Ctrl', 'K'], `Run an action of the page, such as “${action.label}”`] satisfies Row]),
  ]
}
