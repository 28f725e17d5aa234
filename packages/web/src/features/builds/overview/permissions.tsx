import { Text } from '@mantine/core'
import type { FullBuild } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { buildText } from '../../../text/builds/build.ts'
import { Section } from '../../../ui/section.tsx'
import { buildQuery, versionText } from '../build.queries.ts'
import { previousBuildQuery } from '../details/build-details.queries.ts'
import classes from './overview.module.css'
import { isSensitive, shortPermission } from './sensitive-permissions.ts'

type Props = { build: FullBuild; permissions: readonly string[] }

/** Lists the permissions that an Android package requests, with those that are new since the previous build first. */
export function Permissions({ build, permissions }: Props) {
  const { data: listed } = useQuery(previousBuildQuery(build))
  const { data: previous } = useQuery({
    ...buildQuery(build.application_id, listed?.id ?? ''),
    enabled: typeof listed?.id === 'string',
  })
  const known = previous?.android_info?.permissions
  const isNew = (permission: string) => known !== undefined && !known.includes(permission)
  const added = permissions.filter(isNew)
  const rank = (permission: string) => (isNew(permission) ? 0 : isSensitive(permission) ? 1 : 2)
  const sorted = permissions.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
  return (
    <Section
      title={`Permissions (${permissions.length})`}
      actions={
        added.length > 0 &&
        previous !== undefined && (
          <Link
            to="/applications/$applicationId/builds/$buildId"
            params={{ applicationId: build.application_id, buildId: build.id }}
            search={{ tab: 'compare' }}
          >
            {added.length} new since {versionText(previous)}
          </Link>
        )
      }
    >
      {permissions.length === 0 ? (
        <Text fz="sm" c="dimmed">
          {buildText.permissions.none}
        </Text>
      ) : (
        <ul className={classes.permissions}>
          {sorted.map((permission) => (
            <li
              key={permission}
              className={classes.permission}
              data-new={isNew(permission) || undefined}
              data-sensitive={isSensitive(permission) || undefined}
              title={
                isSensitive(permission) ? `${permission}: ${buildText.permissions.sensitive}` : permission
              }
            >
              {shortPermission(permission)}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
