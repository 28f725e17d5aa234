import { ActionIcon, Text } from '@mantine/core'
import type { ComponentProps } from 'react'
import { IconQrcode } from '../icons/icons.ts'
import { PopoverButton } from '../menu/menu-button.tsx'
import { PhoneCode } from './phone-code.tsx'

type PopoverProps = ComponentProps<typeof PopoverButton>
type Props = Pick<PopoverProps, 'position'> & {
  url: string
  /** What the link leads to, such as the version of a build. */
  label: string
  /** A gray icon by default. */
  button?: PopoverProps['button']
}

/** A button that shows the QR code of a link. */
export function QrCodeButton({ url, label, button = iconButton, position }: Props) {
  return (
    <PopoverButton button={button} position={position}>
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

const iconButton = (
  <ActionIcon variant="subtle" color="gray" aria-label="Show QR code">
    <IconQrcode size={16} />
  </ActionIcon>
)
