import { Anchor, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useSession } from '../../api/session.ts'
import { workspaceMembersQuery } from './member.queries.ts'

const maxNames = 3
const rank = (role: string): number => (role === 'owner' ? 0 : 1)

/** Names the owners and admins of the workspace who can grant access, as far as the person may see them. */
export function WhomToAsk({ forWhat }: { forWhat: string }) {
  const { can } = useSession()
  const isAllowed = can('members:read')
  const { data: members, isPending } = useQuery({ ...workspaceMembersQuery, enabled: isAllowed })
  if (isAllowed && isPending)
    return <Skeleton component="span" display="inline-block" width="20rem" height={12} />
  const people = (members ?? [])
    .filter(({ role }) => role !== 'member')
    .toSorted((a, b) => rank(a.role) - rank(b.role))
    .slice(0, maxNames)
  if (people.length === 0) return <>Ask an owner or admin of the workspace {forWhat}.</>
  return (
    <>
      Ask{' '}
      {people.map(({ id, name, email }, index) => (
        <Fragment key={id}>
          {index > 0 && (index === people.length - 1 ? ' or ' : ', ')}
          <Anchor href={`mailto:${email}`} underline="always">
            {name}
          </Anchor>
        </Fragment>
      ))}{' '}
      {forWhat}.
    </>
  )
}
