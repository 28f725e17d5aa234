import { Text } from '@mantine/core'
import type { ComponentProps } from 'react'
import { PopoverButton } from '../menu/menu-button.tsx'
import { PhoneCode } from './phone-code.tsx'

type Props = Omit<ComponentProps<typeof PopoverButton>, 'children'> & {
  url: string
  /** What the link leads to, such as the version of a build. */
  label: string
}

/** A button that shows the QR code of a link. */
export function QrCodeButton({ url, label, ...popover }: Props) {
  return (
    <PopoverButton {...popover}>
      {() => (
        <PhoneCode text={url} label={`QR code with the link to ${label}`}>
          <Text fz="xs" c="dimmed" ta="center" mt={4}>
            Scan to open on your phone
          </Text>
        </PhoneCode>
      )}
    </PopoverButton>
  )
}
