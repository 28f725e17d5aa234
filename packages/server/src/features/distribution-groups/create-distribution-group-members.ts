import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { invalid } from '../../http/validation.ts'
import { Problem } from '../../lib/problem.ts'
import { changeDistributionGroup } from './change-distribution-group.ts'
import {
  insertGroupMembers,
  listGroupMembersByEmail,
  listOutsiderPositions,
} from './distribution-group-member.db.ts'
import { DistributionGroupMember, Emails, lowerCase, mostMembers } from './distribution-group-member.ts'
import { requireDistributionGroupOfPath } from './distribution-group-of-path.ts'
import { DistributionGroupId } from './distribution-group.ts'

export const createDistributionGroupMembers = endpoint({
  method: 'POST',
  path: '/distribution-groups/:distribution_group_id/members',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Add people to a distribution group',
  description: `Who is in it already stays; data holds everybody who was named. At most ${mostMembers} people a group. Nobody is sent a mail by this: post a release with notify for that.`,
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  body: Type.Object({ emails: Emails }),
  status: 201,
  returns: Type.Object({
    message: Type.String(),
    data: Type.Array(DistributionGroupMember),
    added_count: Type.Integer({ description: 'How many of them are new in the group.' }),
  }),
  visible: requireDistributionGroupOfPath,
  async handle({ group: { id }, body, ...call }) {
    const emails = lowerCase(body.emails)
    const { note } = await changeDistributionGroup(
      call,
      { id, action: 'members_added' },
      async (tx, before) => {
        if (before.type === 'internal') {
          const outsiders = await listOutsiderPositions(tx, before.workspace_id, emails)
          if (outsiders.length > 0) throw notOfWorkspace(outsiders)
        }
        const added = await insertGroupMembers(tx, id, emails)
        if (before.tester_count + added.length > mostMembers) throw full()
        return { note: { added } }
      },
    )
    const data = await listGroupMembersByEmail(call.db, id, emails)
    const { length } = note.added
    return {
      message: `${length === 1 ? '1 member' : `${length} members`} added.`,
      data,
      added_count: length,
    }
  },
})

const notOfWorkspace = (positions: number[]): Problem =>
  invalid(
    Object.fromEntries(
      positions
        .slice(0, 20)
        .map((position) => [
          `emails.${position}`,
          ['is of no member of the workspace: an internal group takes no others.'],
        ]),
    ),
  )

const full = (): Problem =>
  new Problem(
    'conflict',
    'distribution_group.full',
    `A distribution group holds at most ${mostMembers} people. Make another group for the rest.`,
  )
