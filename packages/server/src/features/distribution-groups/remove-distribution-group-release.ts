import { Type } from 'typebox'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { notFound } from '../../lib/problem.ts'
import { ReleaseId } from '../releases/release.ts'
import { changeDistributionGroup } from './change-distribution-group.ts'
import { requireDistributionGroupOfPath } from './distribution-group-of-path.ts'
import { deleteGroupRelease, requireGroupRelease } from './distribution-group-release.db.ts'
import { groupReleaseResource } from './distribution-group-release.ts'
import { DistributionGroupId } from './distribution-group.ts'

export const removeDistributionGroupRelease = endpoint({
  method: 'DELETE',
  path: '/distribution-groups/:distribution_group_id/releases/:release_id',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Take a release away from a distribution group',
  description:
    'Links to it stop for members whom no other group gives it to. Who was told of it is not told again when it comes back: the link that person has works again.',
  params: Type.Object({ distribution_group_id: DistributionGroupId, release_id: ReleaseId }),
  returns: Message,
  async visible(call) {
    const { group } = await requireDistributionGroupOfPath(call)
    return { group, release: await requireGroupRelease(call.db, group.id, call.params.release_id) }
  },
  async handle({ group: { id }, release, ...call }) {
    const what = { id, action: 'release_removed', applicationId: release.application_id }
    await changeDistributionGroup(call, what, async (tx) => {
      if (!(await deleteGroupRelease(tx, id, release.id))) throw notFound()
      return { note: { release: groupReleaseResource(release) } }
    })
    return { message: 'Release taken away.' }
  },
})
