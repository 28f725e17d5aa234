import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import { IconDots } from '../icons/icons.ts'

type Props = ActionIconProps & Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps>

/** The button with dots that opens the other actions of a page. It is the last one in the header. */
export function MoreButton(props: Props) {
  return (
    <ActionIcon variant="default" size={36} aria-label="More actions" {...props}>
      <IconDots size={18} />
    </ActionIcon>
  )
}
