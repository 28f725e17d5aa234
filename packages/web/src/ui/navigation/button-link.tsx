import { Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type AnchorProps = Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps>

function ButtonAnchor(props: ButtonProps & AnchorProps) {
  return <Button component="a" {...props} />
}

/** A link that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor)
