import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCopy } from './use-copy.ts'

type Props = {
  value: string
  children: (state: ReturnType<typeof useCopy>) => ReactNode
}

/** Gives its child a function that copies the value, and tells screen readers when it has. */
export function CopyButton({ value, children }: Props) {
  const state = useCopy(value)
  return (
    <>
      {children(state)}
      {state.copied && <VisuallyHidden role="status">Copied</VisuallyHidden>}
    </>
  )
}
