import { Type } from 'typebox'
import { requireApplicationOfPath, requireLockedApplication } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { findCurrentStore, listStoreContents, retireStore } from '../../storage/custom/custom-store.db.ts'
import { saveApplication } from '../applications/application.db.ts'
import { storeAuditSnapshot } from './custom-store.ts'

export const deleteCustomStore = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/custom-store',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Remove the custom store of an application',
  description:
    'New uploads go to the storage of the service again. Files in the store stay there and remain available, so the ' +
    'service keeps the keys until the last file is deleted. To disable the store and keep its settings, update ' +
    '`custom_store_enabled` of the application.',
  params: Type.Object({ application_id: ApplicationId }),
  returns: Message,
  load: requireApplicationOfPath,
  async handle({ application: { id: applicationId }, ...call }) {
    const objects = await inTransaction(call.db, async (tx) => {
      const application = await requireLockedApplication(tx, applicationId)
      const store = await findCurrentStore(tx, applicationId)
      if (store === undefined) return undefined
      await retireStore(tx, store.id)
      await saveApplication(tx, applicationId, { custom_store_enabled: false })
      await recordEvent(tx, call, {
        action: 'custom_store.deleted',
        applicationId,
        subject: { type: 'custom_store', id: store.id },
        before: storeAuditSnapshot(store, application.custom_store_enabled),
      })
      return (await listStoreContents(tx, [store.id])).get(store.id)?.objects ?? 0
    })
    if (objects === undefined) return { message: 'The application has no custom store.' }
    const kept =
      objects === 0
        ? ''
        : ` ${objects === 1 ? '1 file stays' : `${objects} files stay`} in the store and can still be downloaded.`
    return { message: `Custom store removed. New uploads go to the storage of the service.${kept}` }
  },
})
