import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { notFound } from '../../lib/problem.ts'
import { removeRepositoryKey, requireRepositoryKeyOfPath } from './repository-key.db.ts'
import { keyIsCurrent, repositoryKeyAuditSnapshot, RepositoryKeyParams } from './repository-key.ts'

export const deleteRepositoryKey = endpoint({
  method: 'DELETE',
  path: '/workspace/repository-keys/:repository_key_id',
  scope: { workspace: 'workspace:write' },
  summary: 'Delete a previous repository key',
  description:
    'Indexes are no longer signed with the key. Clients that trust only this key reject the repositories. The current key cannot be deleted.',
  params: RepositoryKeyParams,
  refuses: [keyIsCurrent],
  returns: Message,
  load: requireRepositoryKeyOfPath,
  async handle({ repositoryKey, ...call }) {
    if (repositoryKey.retires_at === null) throw keyIsCurrent()
    await inTransaction(call.db, async (tx) => {
      if (!(await removeRepositoryKey(tx, repositoryKey.id))) throw notFound()
      await recordEvent(tx, call, {
        action: 'repository_key.deleted',
        applicationId: null,
        subject: { type: 'repository_key', id: repositoryKey.id },
        before: repositoryKeyAuditSnapshot(repositoryKey),
      })
    })
    return { message: 'Repository key deleted.' }
  },
})
