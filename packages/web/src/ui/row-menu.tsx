import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MenuButton } from './menu-button.tsx'
import classes from './row-menu.module.css'

/** A button with dots that opens the actions of one resource. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <MenuButton
      position="bottom-end"
      button={
        <ActionIcon variant="subtle" color="gray" className={classes.button} aria-label={label}>
          <IconDots size={18} />
        </ActionIcon>
      }
    >
      {() => children}
    </MenuButton>
  )
}
