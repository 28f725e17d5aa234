import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { problem, type Problem } from '../../lib/problem.ts'
import { changeDistributionGroup } from './change-distribution-group.ts'
import {
  insertGroupMembers,
  listGroupMembersByEmail,
  listOutsiderPositions,
} from './distribution-group-member.db.ts'
import {
  DistributionGroupMember,
  Emails,
  lowerCase,
  maxMembers,
  memberCount,
  memberResource,
} from './distribution-group-member.ts'
import { requireDistributionGroupOfPath } from './distribution-group.db.ts'
import { DistributionGroupId } from './distribution-group.ts'

const groupFull = problem(
  'conflict',
  'distribution_group.full',
  `A distribution group can have at most ${maxMembers} members. Create another group for the others.`,
)

export const createDistributionGroupMembers = endpoint({
  method: 'POST',
  path: '/distribution-groups/:distribution_group_id/members',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Add distribution group members',
  description: `Existing members stay in the group; \`data\` contains everyone named in the call. A group can have at most ${maxMembers.toLocaleString('en-US')} members. This call sends no email. To notify members, add a release with \`notify\`.`,
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  body: Type.Object({ emails: Emails }),
  status: 201,
  refuses: [groupFull],
  returns: Type.Object({
    message: Type.String(),
    data: Type.Array(DistributionGroupMember),
    added_count: Type.Integer({ description: 'Number of people added to the group.' }),
  }),
  load: requireDistributionGroupOfPath,
  async handle({ group: { id }, body, ...call }) {
    const emails = lowerCase(body.emails)
    const { details } = await changeDistributionGroup(
      call,
      { id, action: 'distribution_group.members_added' as const },
      async (tx, before) => {
        if (before.type === 'internal') {
          const outsiders = await listOutsiderPositions(tx, before.workspace_id, emails)
          if (outsiders.length > 0) throw outsidersNotAllowed(outsiders)
        }
        const added = await insertGroupMembers(tx, id, emails)
        if (before.tester_count + added.length > maxMembers) throw groupFull()
        return { added }
      },
    )
    const members = await listGroupMembersByEmail(call.db, id, emails)
    const data = members.map((member) => memberResource(member, call.actor))
    const added_count = details.added.length
    return { message: `${memberCount(added_count)} added.`, data, added_count }
  },
})

const outsidersNotAllowed = (positions: number[]): Problem =>
  invalid(
    Object.fromEntries(
      positions
        .slice(0, 20)
        .map((position) => [
          `emails.${position}`,
          ['is not the address of a workspace member. An internal group only accepts workspace members.'],
        ]),
    ),
  )
