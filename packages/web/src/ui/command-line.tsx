import { Fragment } from 'react'
import classes from './command-line.module.css'
import { CopyIcon } from './copy/copy-icon.tsx'

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
      <CopyIcon value={code} label={label} />
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
