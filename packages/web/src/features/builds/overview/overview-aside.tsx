import { Switch } from '@mantine/core'
import type { FullBuild } from '@quayside/sdk'
import { Link } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import { isHandheld, thisDevice } from '../../../api/device.ts'
import { useSession } from '../../../api/session.ts'
import { plural } from '../../../ui/format/bytes.ts'
import { useNow } from '../../../ui/format/now.ts'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { lazyPart } from '../../../ui/loading/lazy-part.ts'
import { PhoneCode, useIsOpenToPhones } from '../../../ui/phone/phone-code.tsx'
import { buildChanges } from '../build-changes.ts'
import { versionText } from '../build.queries.ts'
import { useBuildChange } from '../details/use-build-change.ts'
import classes from './overview.module.css'

const ScanCard = lazyPart(async () => (await import('../../first-steps/scan-card.tsx')).ScanCard)

const dayMs = 86_400_000

type Props = { build: FullBuild }

/** How long a build stays, who offers it, and the code that opens it on a phone. */
export function OverviewAside({ build }: Props) {
  const { can } = useSession()
  const isOpenToPhones = useIsOpenToPhones()
  const now = useNow()
  const change = useBuildChange(build)
  const applicationId = build.application_id
  const isInstallable = isHandheld(build.platform)
  const isNew = isInstallable && thisDevice() === 'desktop' && now - Date.parse(build.created_at) < dayMs
  const phoneCard = isInstallable && isOpenToPhones ? <PhoneCard build={build} /> : null
  const links = build.kept_by.flatMap((keeper) => keeper.share_links ?? [])
  return (
    <aside className={classes.aside} aria-label="Retention and sharing">
      {isNew && (
        <Suspense>
          <ScanCard
            build={{ applicationId, id: build.id, version: versionText(build), url: build.modal_url }}
            fallback={phoneCard}
          />
        </Suspense>
      )}
      <div className={`${classes.card} ${classes.rows}`}>
        <Row name="Expires">{expiryOf(build)}</Row>
        <Row name="Keep forever">
          <Switch
            checked={build.keep_forever}
            disabled={!can('builds:write', applicationId)}
            aria-label="Keep forever"
            onChange={(event) =>
              void change(event.currentTarget.checked ? buildChanges.keep() : buildChanges.unkeep())
            }
          />
        </Row>
        <Row name="In release">
          <ReleaseLinks build={build} />
        </Row>
        {can('share_links:read', applicationId) && (
          <Row name="Share links">
            <Link
              to="/applications/$applicationId/builds/$buildId"
              params={{ applicationId, buildId: build.id }}
              search={{ tab: 'share-links' }}
            >
              {linksText(links.length)}
            </Link>
          </Row>
        )}
      </div>
      {!isNew && phoneCard}
    </aside>
  )
}

/** The number of links that a build names. It may have more. */
const maxNamedLinks = 10

function linksText(count: number): string {
  if (count === 0) return 'None active'
  return count < maxNamedLinks ? plural(count, 'active link') : `${count} or more active links`
}

function ReleaseLinks({ build: { application_id: applicationId, kept_by: keepers } }: Props) {
  const releases = keepers.flatMap((keeper) => keeper.releases ?? [])
  if (releases.length === 0) return '–'
  return (
    <ul className={classes.list}>
      {releases.map(({ id, title, version }) => (
        <li key={id}>
          <Link
            to="/applications/$applicationId/releases/$releaseId"
            params={{ applicationId, releaseId: id }}
          >
            {title === version ? version : `${title} (${version})`}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function PhoneCard({ build }: Props) {
  return (
    <div className={`${classes.card} ${classes.qr}`}>
      <PhoneCode text={build.modal_url} label={`QR code with the link to ${versionText(build)}`} size={104}>
        <div className={classes.caption}>
          <strong>Scan to open</strong>
          <span>on a phone that is signed in</span>
        </div>
      </PhoneCode>
    </div>
  )
}

function expiryOf({
  keep_forever: isKept,
  expires_at: expiresAt,
  kept_by: keepers,
  stream,
}: FullBuild): ReactNode {
  if (isKept) return 'Never, it is kept'
  if (expiresAt !== null) return <RelativeTime time={expiresAt} />
  if (stream.retention_days === null) return `Never in ${stream.name}`
  return keepers.some(({ reason }) => reason === 'release') ? 'Not while released' : 'Not while shared'
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.row}>
      <span>{name}</span>
      <div>{children}</div>
    </div>
  )
}
