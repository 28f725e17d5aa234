import { Type } from 'typebox'
import { requireApplicationOfPath, requireLockedApplication } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { givenChanges } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { findCurrentStore } from '../../storage/custom/custom-store.db.ts'
import { saveApplication } from './application.db.ts'
import {
  ApplicationChanges,
  applicationAuditSnapshot,
  singleApplication,
  SingleApplication,
} from './application.ts'

export const updateApplication = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Update an application',
  description:
    'Changes only the given fields. `null` removes the description. To change the platforms, use `PUT /applications/{application_id}/platforms`.',
  params: Type.Object({ application_id: ApplicationId }),
  body: ApplicationChanges,
  returns: one(SingleApplication),
  load: requireApplicationOfPath,
  async handle({ application: { id }, body, ...call }) {
    const changes = givenChanges(ApplicationChanges, body)
    const enables = changes.custom_store_enabled === true
    const application = await inTransaction(call.db, async (tx) => {
      const before = await requireLockedApplication(tx, id)
      if (enables && (await findCurrentStore(tx, id)) === undefined) throw withoutStore()
      const after = await saveApplication(tx, id, changes)
      await recordEvent(tx, call, {
        action: 'application.updated',
        applicationId: id,
        subject: { type: 'application', id },
        before: applicationAuditSnapshot(before),
        after: applicationAuditSnapshot(after),
      })
      return after
    })
    return { message: 'Application updated.', data: await singleApplication(call, application) }
  },
})

const withoutStore = () =>
  invalid(
    {
      custom_store_enabled: [
        'requires a store. Save one with `PUT /applications/{application_id}/custom-store`.',
      ],
    },
    'The request body is invalid.',
  )
