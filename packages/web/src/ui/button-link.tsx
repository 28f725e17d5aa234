import { Button, Menu, type ButtonProps, type MenuItemProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type AnchorProps = Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps>

function ButtonAnchor(props: ButtonProps & AnchorProps) {
  return <Button component="a" {...props} />
}

/** A link that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor)

function MenuItemAnchor(props: MenuItemProps & Omit<ComponentPropsWithRef<'a'>, keyof MenuItemProps>) {
  return <Menu.Item component="a" c="var(--mantine-color-text)" {...props} />
}

/** A link in a menu. */
export const MenuItemLink = createLink(MenuItemAnchor)
