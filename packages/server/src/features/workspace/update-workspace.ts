import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { givenChanges } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { problem } from '../../lib/problem.ts'
import { requireLockedWorkspace, saveWorkspace } from './workspace.db.ts'
import { Workspace, WorkspaceChanges, workspaceResource, type WorkspaceRow } from './workspace.ts'

const subdomainTaken = problem(
  'conflict',
  'workspace.subdomain_taken',
  'The subdomain "{subdomain}" is already taken. Choose another one.',
)

export const updateWorkspace = endpoint({
  method: 'PATCH',
  path: '/workspace',
  scope: { workspace: 'workspace:write' },
  summary: 'Update the workspace',
  description:
    'While `custom_targets_enabled` is `false`, lists ignore the `custom_targets` filter and uploads cannot specify a custom target.',
  body: WorkspaceChanges,
  refuses: [subdomainTaken],
  returns: one(Workspace),
  async handle({ body, ...call }) {
    const id = call.actor.workspaceId
    const changes = givenChanges(WorkspaceChanges, body)
    const row = await conflictsAs(
      { workspaces_subdomain: () => subdomainTaken({ subdomain: changes.subdomain ?? id }) },
      () =>
        inTransaction(call.db, async (tx) => {
          const before = await requireLockedWorkspace(tx, id)
          const after = await saveWorkspace(tx, id, changes)
          await recordEvent(tx, call, {
            action: 'workspace.updated',
            applicationId: null,
            subject: { type: 'workspace', id },
            before: auditSnapshot(before),
            after: auditSnapshot(after),
          })
          return after
        }),
    )
    return { message: 'Workspace updated.', data: workspaceResource(row, call.config.publicUrl) }
  },
})

const auditSnapshot = ({ name, subdomain, custom_targets_enabled }: WorkspaceRow) => ({
  name,
  subdomain,
  custom_targets_enabled,
})
