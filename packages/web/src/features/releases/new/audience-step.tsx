import { Checkbox, Skeleton, Switch, Text } from '@mantine/core'
import type { DistributionGroup } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../../api/session.ts'
import { releaseText } from '../../../text/releases/release.ts'
import { plural } from '../../../ui/format/bytes.ts'
import { Section } from '../../../ui/section.tsx'
import { groupsQuery } from '../../distribution-groups/group.queries.ts'
import { portalsQuery } from '../../portals/portal.queries.ts'
import classes from './new-release-form.module.css'
import type { NewRelease } from './use-new-release.ts'

type Props = {
  applicationId: string
  values: NewRelease
  set: (change: Partial<NewRelease>) => void
}

/** Chooses the groups and portals of a new release. Shows only what the person may change. */
export function AudienceStep({ applicationId, values, set }: Props) {
  const { can } = useSession()
  const canGroups = can('distribution_groups:write')
  const canPortals = can('portals:write')
  if (!canGroups && !canPortals) return null
  return (
    <Section title="3. Audience">
      {canGroups && <Groups values={values} set={set} />}
      {canPortals && <Portals applicationId={applicationId} values={values} set={set} />}
    </Section>
  )
}

function Groups({ values: { groups }, set }: Omit<Props, 'applicationId'>) {
  const { data } = useQuery(groupsQuery)
  if (data === undefined) return <Skeleton height={96} radius="lg" />
  if (data.length === 0)
    return (
      <Text fz="sm" c="dimmed">
        {releaseText.audience.groupsHelp} <Link to="/groups">Create a group</Link>
      </Text>
    )
  const change = (id: string, notify: boolean | undefined) => {
    const next = new Map(groups)
    if (notify === undefined) next.delete(id)
    else next.set(id, notify)
    set({ groups: next })
  }
  return (
    <>
      <Text fz="sm" c="dimmed" mb="xs">
        {releaseText.audience.groupsHelp}
      </Text>
      <ul className={classes.options}>
        {data.map((group) => (
          <li key={group.id} className={classes.option}>
            <Checkbox
              label={group.name}
              description={describe(group)}
              checked={groups.has(group.id)}
              onChange={(event) =>
                change(group.id, event.currentTarget.checked ? group.is_active : undefined)
              }
            />
            {groups.has(group.id) && group.is_active && (
              <Switch
                label="Notify"
                aria-label={`Notify ${group.name}`}
                checked={groups.get(group.id) === true}
                onChange={(event) => change(group.id, event.currentTarget.checked)}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

const describe = ({ tester_count: members, is_active: isActive }: DistributionGroup): string =>
  isActive ? plural(members, 'member') : releaseText.audience.inactive

function Portals({ applicationId, values: { portals }, set }: Props) {
  const { data = [] } = useQuery(portalsQuery)
  const own = data.flatMap(({ id, name, type, applications }) => {
    const mode = applications.find((each) => each.id === applicationId)?.releases_mode
    return mode === undefined || mode === 'none' ? [] : [{ id, name, type, mode }]
  })
  if (own.length === 0) return null
  return (
    <>
      <Text fz="sm" c="dimmed" mt="md" mb="xs">
        {releaseText.audience.portalsHelp}
      </Text>
      <ul className={classes.options}>
        {own.map(({ id, name, type, mode }) => (
          <li key={id} className={classes.option}>
            <Checkbox
              label={name}
              description={`${type === 'public' ? 'Public' : 'Private'}${mode === 'all' ? ` · ${releaseText.audience.modes.all}` : ''}`}
              checked={mode === 'all' || portals.includes(id)}
              disabled={mode === 'all'}
              onChange={(event) =>
                set({
                  portals: event.currentTarget.checked
                    ? [...portals, id]
                    : portals.filter((each) => each !== id),
                })
              }
            />
          </li>
        ))}
      </ul>
    </>
  )
}
