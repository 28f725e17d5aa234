import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { notFound } from '../../lib/problem.ts'
import { ReleaseId } from '../releases/release.ts'
import { changeDistributionGroup } from './change-distribution-group.ts'
import { deleteGroupRelease, requireGroupRelease } from './distribution-group-release.db.ts'
import { groupReleaseResource } from './distribution-group-release.ts'
import { requireDistributionGroupOfPath } from './distribution-group.db.ts'
import { DistributionGroupId } from './distribution-group.ts'

export const removeDistributionGroupRelease = endpoint({
  method: 'DELETE',
  path: '/distribution-groups/:distribution_group_id/releases/:release_id',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Remove a release from a group',
  description:
    'Links to the release stop working, except for members of another group that has it. If the release is added again, the links work again, and their recipients are not notified a second time.',
  params: Type.Object({ distribution_group_id: DistributionGroupId, release_id: ReleaseId }),
  returns: Message,
  async load(call) {
    const { group } = await requireDistributionGroupOfPath(call)
    return { group, release: await requireGroupRelease(call.db, group.id, call.params.release_id) }
  },
  async handle({ group: { id }, release, ...call }) {
    const change = {
      id,
      action: 'distribution_group.release_removed' as const,
      applicationId: release.application_id,
    }
    await changeDistributionGroup(call, change, async (tx) => {
      if (!(await deleteGroupRelease(tx, id, release.id))) throw notFound()
      return { release: groupReleaseResource(release) }
    })
    return { message: 'Release removed.' }
  },
})
