import { Menu, type MenuItemProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

function MenuItemAnchor(props: MenuItemProps & Omit<ComponentPropsWithRef<'a'>, keyof MenuItemProps>) {
  return <Menu.Item component="a" c="var(--mantine-color-text)" {...props} />
}

/** A link in a menu. */
export const MenuItemLink = createLink(MenuItemAnchor)
