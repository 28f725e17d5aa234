import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { descriptionFrom } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { insertDistributionGroup } from './distribution-group.db.ts'
import {
  changedIcon,
  DistributionGroup,
  distributionGroupAuditSnapshot,
  distributionGroupResource,
  nameTaken,
  NewDistributionGroup,
  noIcon,
} from './distribution-group.ts'

export const createDistributionGroup = endpoint({
  method: 'POST',
  path: '/distribution-groups',
  scope: { workspace: 'distribution_groups:create' },
  summary: 'Create a distribution group',
  description: 'By default, the group is external and active, and has no icon.',
  body: NewDistributionGroup,
  status: 201,
  refuses: [nameTaken],
  returns: one(DistributionGroup),
  async handle({ body, ...call }) {
    const { is_active = true, type = 'external', digest = 'none', feedback_enabled = false } = body
    const description = descriptionFrom(body.description)
    const fields = {
      name: body.name.trim(),
      description,
      is_active,
      type,
      digest,
      feedback_enabled,
      ...changedIcon(noIcon, body),
    }
    const group = await conflictsAs({ distribution_groups_name: nameTaken }, () =>
      inTransaction(call.db, async (tx) => {
        const row = await insertDistributionGroup(tx, call.actor.workspaceId, fields)
        await recordEvent(tx, call, {
          action: 'distribution_group.created',
          applicationId: null,
          subject: { type: 'distribution_group', id: row.id },
          after: distributionGroupAuditSnapshot(row),
        })
        return row
      }),
    )
    return { message: 'Distribution group created.', data: distributionGroupResource(group) }
  },
})
