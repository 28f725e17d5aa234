import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { Problem } from '../../lib/problem.ts'
import { requireLockedRelease, requireReleaseOfWorkspace } from '../releases/release.db.ts'
import { changeDistributionGroup } from './change-distribution-group.ts'
import { requireDistributionGroupOfPath } from './distribution-group-of-path.ts'
import { insertGroupRelease, requireGroupRelease } from './distribution-group-release.db.ts'
import { DistributionGroupRelease, groupReleaseResource } from './distribution-group-release.ts'
import { DistributionGroupId } from './distribution-group.ts'
import { notifyMembers } from './notify-members.ts'

export const addDistributionGroupRelease = endpoint({
  method: 'POST',
  path: '/distribution-groups/:distribution_group_id/releases',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Give a release to a distribution group, and tell its members',
  description:
    'With notify each member gets a mail with a personal link that needs no account: one mail a person a release, however many groups have both. Posting it again with notify tells those who were added since; a release that is in the group already stays.',
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  body: Type.Object({
    release_id: Type.String({ minLength: 1, maxLength: 255 }),
    notify: Type.Optional(Type.Boolean({ default: false })),
  }),
  status: 201,
  returns: Type.Object({
    message: Type.String(),
    data: DistributionGroupRelease,
    notified_count: Type.Integer({ description: 'Mails that this call has sent off.' }),
  }),
  visible: requireDistributionGroupOfPath,
  async handle({ group: { id }, body, ...call }) {
    const { workspaceId } = call.actor
    const { id: releaseId, application_id: applicationId } = await requireReleaseOfWorkspace(
      call.db,
      workspaceId,
      body.release_id,
    )
    const what = { id, action: 'release_added', applicationId }
    const { note } = await changeDistributionGroup(call, what, async (tx, group) => {
      if (body.notify === true && !group.is_active) throw inactive()
      await requireLockedRelease(tx, applicationId, releaseId)
      await insertGroupRelease(tx, {
        distribution_group_id: id,
        release_id: releaseId,
        workspace_id: workspaceId,
      })
      const release = groupReleaseResource(await requireGroupRelease(tx, id, releaseId))
      const notified_count = body.notify === true ? await notifyMembers(tx, call, group, release) : 0
      return { note: { release, notified_count } }
    })
    const { release, notified_count } = note
    const told = notified_count === 1 ? '1 member is' : `${notified_count} members are`
    return {
      message: body.notify === true ? `Release added; ${told} told.` : 'Release added.',
      data: release,
      notified_count,
    }
  },
})

const inactive = (): Problem =>
  new Problem(
    'conflict',
    'distribution_group.inactive',
    'This group is not active, so nobody can be told: make it active first, or add the release without notify.',
  )
