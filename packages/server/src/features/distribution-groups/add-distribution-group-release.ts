import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { problem } from '../../lib/problem.ts'
import { requireLockedRelease, requireReleaseOfWorkspace } from '../releases/release.db.ts'
import { changeDistributionGroup } from './change-distribution-group.ts'
import { memberCount } from './distribution-group-member.ts'
import { requireGroupRelease, upsertGroupRelease } from './distribution-group-release.db.ts'
import { DistributionGroupRelease, groupReleaseResource } from './distribution-group-release.ts'
import { requireDistributionGroupOfPath } from './distribution-group.db.ts'
import { DistributionGroupId } from './distribution-group.ts'
import { notifyMembers } from './notify-members.ts'

const groupInactive = problem(
  'conflict',
  'distribution_group.inactive',
  'This group is inactive, so its members cannot be notified. Activate it first, or add the release without `notify`.',
)

export const addDistributionGroupRelease = endpoint({
  method: 'POST',
  path: '/distribution-groups/:distribution_group_id/releases',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Add a release to a group',
  description:
    'With `notify`, each member gets an email with a personal link that works without an account. A person gets one email per release, even if several of their groups have the release. To notify members who were added later, repeat the call with `notify`. If the release is not published, the members cannot see it, and `notify` takes effect when it is published; to cancel this, repeat the call without `notify`.',
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  body: Type.Object({
    release_id: Type.String({ minLength: 1, maxLength: 255 }),
    notify: Type.Optional(Type.Boolean({ default: false })),
  }),
  status: 201,
  refuses: [groupInactive],
  returns: Type.Object({
    message: Type.String(),
    data: DistributionGroupRelease,
    notified_count: Type.Integer({
      description: 'Number of members that this call notified; 0 if the release is not published.',
    }),
  }),
  load: requireDistributionGroupOfPath,
  async handle({ group: { id }, body, ...call }) {
    const { workspaceId } = call.actor
    const { id: releaseId, application_id: applicationId } = await requireReleaseOfWorkspace(
      call.db,
      workspaceId,
      body.release_id,
    )
    const change = { id, action: 'distribution_group.release_added' as const, applicationId }
    const notify = body.notify === true
    const { details } = await changeDistributionGroup(call, change, async (tx, group) => {
      if (notify && !group.is_active) throw groupInactive()
      await requireLockedRelease(tx, applicationId, releaseId)
      await upsertGroupRelease(tx, {
        distribution_group_id: id,
        release_id: releaseId,
        workspace_id: workspaceId,
        notify,
      })
      const release = groupReleaseResource(await requireGroupRelease(tx, id, releaseId))
      const isDue = notify && release.status === 'published'
      const selection = { releaseIds: [releaseId], groupId: id }
      const notified = isDue ? await notifyMembers(tx, call, selection) : undefined
      return { release, notified_count: notified?.get(releaseId) ?? 0 }
    })
    const { release, notified_count } = details
    const outcome =
      release.status === 'published'
        ? `${memberCount(notified_count)} notified`
        : 'the members will be notified when it is published'
    return {
      message: notify ? `Release added; ${outcome}.` : 'Release added.',
      data: release,
      notified_count,
    }
  },
})
