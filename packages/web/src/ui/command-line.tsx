import { ActionIcon, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import classes from './command-line.module.css'
import { Hint } from './hint.tsx'

/** Shows a command or a snippet of code that can be copied. */
export function CommandLine({ code, label = 'command' }: { code: string; label?: string }) {
  return (
    <div className={classes.box}>
      <pre className={classes.code} tabIndex={0} aria-label={label}>
        {code}
      </pre>
      <CopyButton value={code} timeout={1_500}>
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
