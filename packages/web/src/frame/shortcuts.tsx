import { useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { lazyDialog } from '../ui/loading/lazy.tsx'
import { openPalette } from './palette/palette-store.ts'
import { setOpenShortcuts } from './shortcuts-store.ts'

const ShortcutsDialog = lazyDialog(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

/** Handles the shortcuts that work on every page and shows the list of all shortcuts. */
export function Shortcuts() {
  const [isOpen, setIsOpen] = useState(false)
  const navigate = useNavigate()
  useEffect(() => setOpenShortcuts(() => setIsOpen(true)), [])
  useHotkeys([
    ['shift+?', () => setIsOpen(true)],
    ['?', () => setIsOpen(true)],
    ['a', () => openPalette('applications')],
    ['i', () => void navigate({ to: '/inbox' })],
    ['u', () => void navigate({ to: '/upload' })],
    ['/', () => document.querySelector<HTMLInputElement>('input[data-list-search]')?.focus()],
  ])
  return (
    isOpen && (
      <Suspense>
        <ShortcutsDialog onClose={() => setIsOpen(false)} />
      </Suspense>
    )
  )
}
