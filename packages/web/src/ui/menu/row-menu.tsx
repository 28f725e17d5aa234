import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconDots } from '../icons/icons.ts'
import { MoreButton } from '../loading/more-button.tsx'
import { MenuButton } from './menu-button.tsx'
import classes from './row-menu.module.css'

type Props = {
  label: string
  /** Whether the button is in the header of a page instead of a row. */
  isOfPage?: boolean
  children: ReactNode
}

/** A button with dots that opens the actions of one resource. */
export function RowMenu({ label, isOfPage = false, children }: Props) {
  return (
    <MenuButton
      position="bottom-end"
      button={
        isOfPage ? (
          <MoreButton aria-label={label} />
        ) : (
          <ActionIcon variant="subtle" color="gray" className={classes.button} aria-label={label}>
            <IconDots size={18} />
          </ActionIcon>
        )
      }
    >
      {() => children}
    </MenuButton>
  )
}
