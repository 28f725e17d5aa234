import { ActionIcon, Drawer } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useCallback, Suspense, useEffect, useState } from 'react'
import { shareConnectionChecks } from '../api/connection.ts'
import { checkVersion } from '../api/console-version.ts'
import { refreshOnChange, watchLive } from '../api/live.ts'
import { announceSession, signInWindow } from '../api/session-end.ts'
import { useSessionRenewal } from '../api/session-renewal.ts'
import { DropOverlay } from '../features/uploads/drop-overlay.tsx'
import { SidebarUploads } from '../features/uploads/sidebar-uploads.tsx'
import { useUploadQueue } from '../features/uploads/upload-queue.ts'
import { IconMenu2 } from '../ui/icons/icons.ts'
import { lazyDialog, useRetryOnReturn } from '../ui/loading/lazy.tsx'
import { watchContextMenus } from '../ui/menu/context-menu.ts'
import classes from './app-frame.module.css'
import { useKeptText } from './keep-typed-text.ts'
import { LazyChangedBy } from './lazy-changed-by.tsx'
import { Logo } from './logo.tsx'
import { PageBanner } from './page-banner.tsx'
import { collectTypedText, setOpenPalette } from './palette/palette-store.ts'
import { useRecordRecentApplications, useRecordRecentPages } from './palette/recent-pages.ts'
import { SessionCover } from './session-cover.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { Sidebar } from './sidebar.tsx'

const CommandPalette = lazyDialog(async () => (await import('./palette/command-palette.tsx')).CommandPalette)

/** The frame of every page behind sign-in: the sidebar, which is a drawer on phones, and the page. */
export function AppFrame() {
  const [isMenuOpen, { open, close }] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useSessionRenewal()
  useLiveData()
  useEffect(() => {
    announceSession('signed-in')
    if (window.name === signInWindow) window.close()
  }, [])
  useUploadQueue()
  useEffect(shareConnectionChecks, [])
  useEffect(watchContextMenus, [])
  useKeptText()
  useRecordRecentPages()
  useRecordRecentApplications()
  useReloadOnReturn()
  // A link in the drawer leads to a page that the drawer would cover.
  useEffect(() => close(), [path, close])
  return (
    <div className={classes.frame}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <div className={classes.sidebar}>
        <Sidebar />
      </div>
      <header className={classes.bar}>
        <ActionIcon variant="subtle" color="gray" size="xl" onClick={open} aria-label="Open menu">
          <IconMenu2 size={22} />
        </ActionIcon>
        <Logo />
        <SidebarUploads isCompact />
      </header>
      <Drawer
        opened={isMenuOpen}
        onClose={close}
        size="18rem"
        padding={0}
        withCloseButton={false}
        attributes={{ content: { 'aria-label': 'Menu' } }}
      >
        <Sidebar isInDrawer />
      </Drawer>
      <Shortcuts />
      <SessionCover />
      <DropOverlay />
      <LazyCommandPalette />
      <LazyChangedBy />
      <main id="content" className={classes.content} tabIndex={-1}>
        <PageBanner />
        <div className={classes.page}>
          <Outlet />
        </div>
      </main>
    </div>
  )
}

/** Keeps what the page shows up to date while others change it. */
function useLiveData(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const controller = new AbortController()
    watchLive(queryClient, controller.signal)
    const stop = refreshOnChange(queryClient)
    return () => {
      stop()
      controller.abort()
    }
  }, [queryClient])
}

/** Loads everything again when the server can be reached again. */
function useReloadOnReturn(): void {
  const queryClient = useQueryClient()
  useRetryOnReturn(
    useCallback(() => {
      void queryClient.invalidateQueries()
      // The server may have been stopped for an upgrade.
      void checkVersion()
    }, [queryClient]),
  )
}

/** Loads the command palette when it is opened for the first time. */
function LazyCommandPalette() {
  const [isNeeded, setIsNeeded] = useState(false)
  const load = () => {
    collectTypedText()
    setIsNeeded(true)
  }
  useEffect(() => setOpenPalette(load), [])
  // The palette itself handles the shortcut once it is loaded.
  useHotkeys(isNeeded ? [] : [['mod+K', load]])
  return (
    isNeeded && (
      <Suspense>
        <CommandPalette />
      </Suspense>
    )
  )
}
