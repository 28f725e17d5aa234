import { Badge, Button } from '@mantine/core'
import type { DistributionGroupMember } from '@quayside/sdk'
import { groupText } from '../../text/distribution/distribution-groups.ts'
import { Hint } from '../../ui/hint.tsx'
import classes from './group-members.module.css'

type Props = {
  member: DistributionGroupMember
  /** Lets the member get emails again. Undefined if the person may not change the group. */
  onClear: ((memberId: string) => void) | undefined
}

/** Shows which emails a member gets if they differ from those of other members. */
export function MemberBadges({ member, onClear }: Props) {
  const { id, unsubscribed_at: unsubscribedAt, bounced_at: bouncedAt, digest } = member
  return (
    <>
      {unsubscribedAt !== null && (
        <Hint label={groupText.unsubscribed}>
          <Badge variant="light" color="gray" tt="none" tabIndex={0}>
            No emails
          </Badge>
        </Hint>
      )}
      {bouncedAt !== null && (
        <Hint label={groupText.bounced} multiline maw={420}>
          <Badge variant="light" color="red" tt="none" tabIndex={0}>
            Rejected
          </Badge>
        </Hint>
      )}
      {bouncedAt !== null && onClear !== undefined && (
        <Button size="compact-xs" variant="subtle" onClick={() => onClear(id)}>
          Clear
        </Button>
      )}
      {digest !== null && (
        <Badge variant="default" tt="none">
          {groupText.memberDigests[digest]}
        </Badge>
      )}
      {member.bounce_reason !== null && <span className={classes.reason}>{member.bounce_reason}</span>}
    </>
  )
}
