import { Menu, Skeleton, UnstyledButton } from '@mantine/core'
import { Suspense } from 'react'
import { serviceUrl } from '../api/browser.ts'
import { useSession } from '../api/session.ts'
import { signOut } from '../api/sign-in.ts'
import { ApplicationIcon } from '../ui/application-icon.tsx'
import { ownPhoto } from '../ui/forms/own-photo.ts'
import { IconBook, IconCode, IconKeyboard, IconLogout, IconUser } from '../ui/icons/icons.ts'
import { lazyPart } from '../ui/loading/lazy-part.ts'
import { MenuItemLink } from '../ui/menu/menu-item-link.tsx'
import { showFailure } from '../ui/toast.tsx'
import { openShortcuts } from './shortcuts-store.ts'
import classes from './workspace-menu.module.css'

const ColorSchemeChoice = lazyPart(async () => (await import('./color-scheme-choice.tsx')).ColorSchemeChoice)

/** Shows who is signed in, with their account, the color scheme and help. */
export function UserMenu() {
  const { user } = useSession()
  async function leave(): Promise<void> {
    try {
      await signOut()
      window.location.assign(`${serviceUrl}/sign-in`)
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <Menu position="top-start" width="15rem">
      <Menu.Target>
        <UnstyledButton className={classes.button}>
          <ApplicationIcon name={user.name} url={ownPhoto(user.profile_photo_url)} size={24} round />
          <span className={classes.name}>{user.name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <MenuItemLink to="/account" leftSection={<IconUser size={16} />}>
          Your account
        </MenuItemLink>
        <Suspense fallback={<Skeleton height={30} my={4} />}>
          <ColorSchemeChoice />
        </Suspense>
        <Menu.Divider />
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={openShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item component="a" href={`${serviceUrl}/docs`} leftSection={<IconBook size={16} />}>
          Documentation
        </Menu.Item>
        <Menu.Item component="a" href={`${serviceUrl}/api/v1/docs`} leftSection={<IconCode size={16} />}>
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
