import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { job } from '../../../jobs/job.ts'
import { insertAccessRequest } from './access-request.db.ts'

type Requested = {
  workspaceId: string
  userId: string
  userName: string
  address: string | null
  applicationId: string
  message: string
}

/** Makes a request for access, if there is such an application and the person cannot open it. */
export const addAccessRequest = job<Requested>({
  name: 'access-requests.add',
  retries: 5,
  // People wait for it, and jobs that do nothing must not delay others.
  concurrency: 2,
  expireInSeconds: 60,
  async handle({ db, dependents }, { userId, userName, address, ...requested }) {
    const { workspaceId, applicationId } = requested
    const message = requested.message === '' ? null : requested.message
    await inTransaction(db, async (tx) => {
      const request = await insertAccessRequest(tx, { applicationId, workspaceId, userId, message })
      if (request === undefined) return
      const actor = { id: userId, name: userName, workspaceId, via: 'user' as const }
      await recordEvent(
        tx,
        { actor, address },
        {
          action: 'access_request.created',
          applicationId,
          subject: { type: 'access_request', id: request.id },
          after: { email: request.email },
        },
      )
      await dependents.notifyOfAccess(tx, {
        kind: 'access_request',
        applicationId,
        workspaceId,
        actorName: request.name,
      })
    })
  },
})
