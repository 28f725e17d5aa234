import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../api/session.ts'
import { firstStepsText } from '../../text/first-steps.ts'
import { IconX } from '../../ui/icons/icons.ts'
import { PhoneCode } from '../../ui/phone/phone-code.tsx'
import { firstStepsQuery, useHide } from './first-step.queries.ts'
import classes from './scan-card.module.css'

type Props = {
  build: { applicationId: string; id: string; version: string; url: string }
  /** Takes the place of the card once a phone has opened the service. */
  fallback?: ReactNode
}

/** Shows the QR code of a build until a phone has opened the service or the person hides it. */
export function ScanCard({ build, fallback = null }: Props) {
  const { can, sample_application_id: sampleId } = useSession()
  const hide = useHide()
  const { applicationId, id, version, url } = build
  const { data } = useQuery({ ...firstStepsQuery, enabled: applicationId !== sampleId })
  const isNeeded = data?.steps.some(({ name, done }) => name === 'phone' && !done) === true
  if (!isNeeded || data.phone_card_hidden) return fallback
  return (
    <section className={classes.card} aria-label="Install on your phone">
      <PhoneCode text={url} label={`QR code with the link to ${version}`} size={144}>
        <div className={classes.text}>
          <strong>Install {version} on your phone</strong>
          <span>{firstStepsText.scan}</span>
          {can('share_links:create', applicationId) && (
            <Link
              to="/applications/$applicationId/builds/$buildId"
              params={{ applicationId, buildId: id }}
              search={{ tab: 'share-links' }}
            >
              {firstStepsText.scanLink}
            </Link>
          )}
        </div>
      </PhoneCode>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        className={classes.hide}
        aria-label="Hide QR code"
        onClick={() => hide('phone_card_hidden', firstStepsText.cardHidden)}
      >
        <IconX size={16} />
      </ActionIcon>
    </section>
  )
}
