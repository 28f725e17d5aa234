import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../../api/session.ts'
import { releaseText } from '../../../text/releases/release.ts'
import { formatBytes, plural } from '../../../ui/format/bytes.ts'
import { PlatformIcon } from '../../../ui/platform-icon.tsx'
import { groupsQuery } from '../../distribution-groups/group.queries.ts'
import classes from './new-release-form.module.css'
import type { NewRelease } from './use-new-release.ts'

/** Says what will happen when the form is sent. */
export function ReleaseSummary({ values }: { values: NewRelease }) {
  const { builds, version, title, groups, portals, publication } = values
  const { can } = useSession()
  const { data: allGroups = [] } = useQuery({ ...groupsQuery, enabled: can('distribution_groups:read') })
  const notified = allGroups.filter(({ id }) => groups.get(id) === true)
  const members = notified.reduce((sum, { tester_count: count }) => sum + count, 0)
  const bytes = builds.reduce((sum, build) => sum + build.size_total_bytes, 0)
  const platforms = new Map(builds.map(({ platform }) => [platform.identifier, platform]))
  return (
    <section className={classes.summary} aria-label="Summary">
      <Text fw={600} className="tabular">
        {version === '' ? 'No version yet' : version}
      </Text>
      <Text fz="sm" truncate>
        {title}
      </Text>
      <div className={classes.icons}>
        {[...platforms.values()].map((platform) => (
          <PlatformIcon key={platform.identifier} platform={platform} size={16} />
        ))}
      </div>
      <Text fz="sm" c="dimmed" mt={4}>
        {builds.length === 0
          ? releaseText.builds.none
          : `${plural(builds.length, 'build')} · ${formatBytes(bytes)}`}
      </Text>
      <Text fz="sm" mt="sm">
        {releaseText.summary.audience(members, notified.length, publication !== 'now')}
        {portals.length > 0 && ` ${releaseText.summary.portals(portals.length)}`}
      </Text>
    </section>
  )
}
