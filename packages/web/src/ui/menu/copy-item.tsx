import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCopy } from '../copy/use-copy.ts'
import { IconCheck } from '../icons/icons.ts'

type Props = { value: string; icon: ReactNode; label: string }

/** An item of a menu that copies a value. The menu stays open to say so. */
export function CopyItem({ value, icon, label }: Props) {
  const { copied, copy } = useCopy(value)
  return (
    <Menu.Item
      closeMenuOnClick={false}
      leftSection={copied ? <IconCheck size={16} color="var(--q-good)" /> : icon}
      onClick={copy}
    >
      {copied ? 'Copied' : label}
    </Menu.Item>
  )
}
