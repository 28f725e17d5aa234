import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'
import { Hint } from '../hint.tsx'

type Props = ActionIconProps & Omit<ComponentPropsWithRef<'a'>, keyof ActionIconProps> & { label: string }

function IconAnchor({ label, ...props }: Props) {
  return (
    <Hint label={label}>
      <ActionIcon component="a" variant="default" size={36} aria-label={label} {...props} />
    </Hint>
  )
}

/** A link that looks like a button with an icon. Its label is shown on hover. */
export const IconLink = createLink(IconAnchor)
