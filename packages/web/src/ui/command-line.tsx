import { ActionIcon } from '@mantine/core'
import { Fragment } from 'react'
import classes from './command-line.module.css'
import { CopyButton } from './copy/copy-button.tsx'
import { Hint } from './hint.tsx'
import { IconCheck, IconCopy } from './icons/icons.ts'

type Props = {
  code: string
  label?: string
  /** Whether long lines are wrapped, because all of them must be visible. */
  wraps?: boolean
}

/** Shows a command or a snippet of code that can be copied. */
export function CommandLine({ code, label = 'command', wraps = false }: Props) {
  return (
    <div className={classes.box} data-wraps={wraps || undefined}>
      <pre className={classes.code} tabIndex={0} aria-label={label}>
        {wraps ? withBreaks(code) : code}
      </pre>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Hint label={copied ? 'Copied' : `Copy ${label}`}>
            <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={`Copy ${label}`}>
              {copied ? <IconCheck size={16} color="var(--q-good)" /> : <IconCopy size={16} />}
            </ActionIcon>
          </Hint>
        )}
      </CopyButton>
    </div>
  )
}

/** Lets a line that is too long break before a URL, and not in it. */
const withBreaks = (code: string) =>
  code.split(/(?<==)(?=http)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
