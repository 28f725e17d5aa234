import type { FullBuild } from '@quayside/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { buildText } from '../../../text/builds/build.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { IconArrowRight, IconArrowsDiff, IconCircleCheck } from '../../../ui/icons/icons.ts'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import { Section } from '../../../ui/section.tsx'
import { buildQuery, versionText } from '../build.queries.ts'
import { previousBuildQuery } from '../details/build-details.queries.ts'
import { TabSkeleton } from '../details/tab-skeleton.tsx'
import { isSensitive, shortPermission } from '../overview/sensitive-permissions.ts'
import { BuildPicker } from './build-picker.tsx'
import { compareBuilds, type AttributeDifference } from './compare-builds.ts'
import classes from './compare.module.css'
import { EntryChanges } from './entry-changes.tsx'
import { FileSizes } from './file-sizes.tsx'

const route = getRouteApi('/console/applications/$applicationId/builds/$buildId')

/** How a build differs from the previous one, or from the one in the URL. */
export function Compare({ build }: { build: FullBuild }) {
  const { with: chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const previous = useQuery({ ...previousBuildQuery(build), enabled: chosen === undefined })
  const otherId = chosen ?? previous.data?.id
  const other = useQuery({
    ...buildQuery(build.application_id, otherId ?? ''),
    enabled: otherId !== undefined,
    placeholderData: keepPreviousData,
  })
  const error = previous.error ?? other.error
  const isFirst = chosen === undefined && previous.data === null
  return (
    <>
      <div className={classes.pick}>
        <BuildPicker
          build={build}
          other={other.data}
          onChange={(buildId) =>
            void navigate({
              search: { tab: 'compare', with: buildId },
              replace: true,
              resetScroll: false,
            })
          }
        />
      </div>
      {error !== null && <FailureBanner error={error} onRetry={() => void other.refetch()} />}
      {isFirst && (
        <EmptyState icon={<IconArrowsDiff size={22} />} title={buildText.compare.emptyTitle}>
          {buildText.compare.empty(build.platform.name)}
        </EmptyState>
      )}
      {other.data === undefined && !isFirst && error === null && <TabSkeleton />}
      {other.data !== undefined && <Differences builds={olderFirst(build, other.data)} />}
    </>
  )
}

type Pair = readonly [before: FullBuild, after: FullBuild]

const olderFirst = (build: FullBuild, other: FullBuild): Pair =>
  other.created_at > build.created_at ? [build, other] : [other, build]

function Differences({ builds }: { builds: Pair }) {
  const { isRead, risks, attributes, permissions, files } = compareBuilds(...builds)
  const hasPermissions = permissions.added.length + permissions.removed.length > 0
  return (
    <>
      <p className={classes.direction}>
        {versionText(builds[0])} <IconArrowRight size={15} role="img" aria-label="to" />{' '}
        {versionText(builds[1])}
      </p>
      {risks.length > 0 ? (
        <ul className={classes.risks} aria-label="Risks">
          {risks.map((risk) => (
            <li key={risk}>{risk}</li>
          ))}
        </ul>
      ) : (
        <div className={classes.calm} data-unread={!isRead || undefined}>
          {isRead && <IconCircleCheck size={17} aria-hidden />}
          {isRead ? buildText.compare.noRisk : buildText.compare.unread}
        </div>
      )}
      <Section title="Size">
        <FileSizes files={files} />
      </Section>
      <EntryChanges key={`${builds[0].id} ${builds[1].id}`} before={builds[0]} after={builds[1]} />
      {hasPermissions && (
        <Section title="Permissions">
          <ul className={classes.permissions}>
            {permissions.added.map((permission) => (
              <li key={permission} data-change="added" data-sensitive={isSensitive(permission) || undefined}>
                + {shortPermission(permission)}
              </li>
            ))}
            {permissions.removed.map((permission) => (
              <li key={permission} data-change="removed">
                − {shortPermission(permission)}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Package">
        {attributes.length === 0 ? (
          buildText.compare.same
        ) : (
          <Attributes attributes={attributes} builds={builds} />
        )}
      </Section>
    </>
  )
}

type AttributesProps = { attributes: readonly AttributeDifference[]; builds: Pair }

function Attributes({ attributes, builds: [before, after] }: AttributesProps) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <td />
          <th scope="col">{versionText(before)}</th>
          <th scope="col">{versionText(after)}</th>
        </tr>
      </thead>
      <tbody>
        {attributes.map(({ name, before: old, after: current, isRisky }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className={classes.before}>{old}</td>
            <td className={isRisky ? classes.risky : undefined}>{current}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
