import { ActionIcon } from '@mantine/core'
import { Hint } from '../hint.tsx'
import { IconCheck, IconCopy } from '../icons/icons.ts'
import { CopyButton } from './copy-button.tsx'

/** A button with an icon that copies a value. The label says what, such as "link". */
export function CopyIcon({ value, label }: { value: string; label: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Hint label={copied ? 'Copied' : `Copy ${label}`}>
          <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={`Copy ${label}`}>
            {copied ? <IconCheck size={16} color="var(--q-good)" /> : <IconCopy size={16} />}
          </ActionIcon>
        </Hint>
      )}
    </CopyButton>
  )
}
