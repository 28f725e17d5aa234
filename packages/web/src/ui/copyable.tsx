import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from './copy/copy-button.tsx'
import classes from './copyable.module.css'
import { Hint } from './hint.tsx'
import { IconCheck, IconCopy } from './icons/icons.ts'

type Props = {
  value: string
  /** What is copied, for screen readers and the tooltip, such as "commit". */
  label: string
  /** What is shown; the value by default. */
  children?: ReactNode
  mono?: boolean
}

/** Shows a value that is copied with a click. */
export function Copyable({ value, label, children, mono = false }: Props) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Hint label={copied ? 'Copied' : `Copy ${label}`}>
          <UnstyledButton
            className={classes.copyable}
            data-mono={mono || undefined}
            onClick={(event) => {
              event.preventDefault()
              event.stopPropagation()
              copy()
            }}
          >
            <VisuallyHidden>Copy {label}</VisuallyHidden>
            <span className={classes.text}>{children ?? value}</span>
            {copied ? <IconCheck size={14} color="var(--q-good)" /> : <IconCopy size={14} />}
          </UnstyledButton>
        </Hint>
      )}
    </CopyButton>
  )
}
