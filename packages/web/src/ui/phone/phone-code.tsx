import type { ReactNode } from 'react'
import { serviceUrl } from '../../api/browser.ts'
import { useSession } from '../../api/session.ts'
import { phoneText } from '../../text/phone.ts'
import { CommandLine } from '../command-line.tsx'
import classes from './phone-code.module.css'
import { QrCode } from './qr-code.tsx'

type Props = { text: string; label: string; size?: number; children?: ReactNode }

/** Returns whether phones may be able to open the server, whose URL otherwise leads each device to itself. */
export const useIsOpenToPhones = (): boolean => useSession().local_network_urls === null

/**
 * Shows the QR code of a link and its caption. If the link leads each device to itself, explains why a phone could not open
 * it, and how to start the server for the local network.
 */
export function PhoneCode({ text, label, size, children }: Props) {
  if (!useIsOpenToPhones()) return <LocalNetworkNotice />
  return (
    <>
      <QrCode text={text} label={label} {...(size === undefined ? {} : { size })} />
      {children}
    </>
  )
}

function LocalNetworkNotice() {
  const { local_network_urls: urls, local_network_command: command } = useSession()
  return (
    <div className={classes.notice}>
      <strong>{phoneText.title}</strong>
      <span>{command === null ? phoneText.noAddress : phoneText.explanation}</span>
      {command !== null && urls !== null && (
        <>
          <CommandLine code={command} label="command for the local network" wraps />
          <span>{urls.length === 1 ? phoneText.address : phoneText.addresses}</span>
          <ul className={classes.urls}>
            {urls.map((url) => (
              <li key={url}>{url}</li>
            ))}
          </ul>
        </>
      )}
      <a href={`${serviceUrl}/docs/operating#phones-in-the-local-network`}>
        {command === null ? phoneText.noAddressDocs : phoneText.docs}
      </a>
    </div>
  )
}
