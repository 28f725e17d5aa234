import { Text } from '@mantine/core'
import type { ComponentProps } from 'react'
import { PopoverButton } from './menu-button.tsx'
import { QrCode } from './qr-code.tsx'

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
        <>
          <QrCode text={url} label={`QR code with the link to ${label}`} />
          <Text fz="xs" c="dimmed" ta="center" mt={4}>
            Scan to open on your phone
          </Text>
        </>
      )}
    </PopoverButton>
  )
}
