import { ActionIcon, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import classes from './app-frame.module.css'
import { ConnectionBanner } from './connection-banner.tsx'
import { Logo } from './logo.tsx'
import { Sidebar } from './sidebar.tsx'

/** The frame of every page behind sign-in: the sidebar, which is a drawer on phones, and the page. */
export function AppFrame() {
  const [isMenuOpen, { open, close }] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // A link in the drawer leads to a page that the drawer would cover.
  useEffect(() => close(), [path, close])
  return (
    <div className={classes.frame}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <aside className={classes.sidebar}>
        <Sidebar />
      </aside>
      <header className={classes.bar}>
        <ActionIcon variant="subtle" color="gray" size="xl" onClick={open} aria-label="Open menu">
          <IconMenu2 size={22} />
        </ActionIcon>
        <Logo />
      </header>
      <Drawer
        opened={isMenuOpen}
        onClose={close}
        size="18rem"
        padding={0}
        withCloseButton={false}
        title={undefined}
        aria-label="Menu"
      >
        <Sidebar />
      </Drawer>
      <main id="content" className={classes.content} tabIndex={-1}>
        <ConnectionBanner />
        <div className={classes.page}>
          <Outlet />
        </div>
      </main>
    </div>
  )
}
