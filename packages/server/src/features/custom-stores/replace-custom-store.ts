import { Type } from 'typebox'
import { requireApplicationOfPath, requireLockedApplication } from '../../access/application.db.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { shortId } from '../../lib/ids.ts'
import { findCurrentStore, saveCurrentStore } from '../../storage/custom/custom-store.db.ts'
import { storeUnavailable } from '../../storage/storage-errors.ts'
import { saveApplication } from '../applications/application.db.ts'
import {
  ApplicationStores,
  applicationStores,
  findOwnStoreId,
  locationUsed,
  requirePassed,
  settingsFrom,
  storeAuditSnapshot,
  StoreInput,
  testFailed,
} from './custom-store.ts'

export const replaceCustomStore = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/custom-store',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Set the custom store of an application',
  description:
    'Tests the store, saves it and enables it: new uploads go to this bucket. Nothing is saved if a step of the test fails. ' +
    'Files that were uploaded before stay where they are and remain available. ' +
    'The keys can be omitted to change other settings of a store with the same endpoint.',
  params: Type.Object({ application_id: ApplicationId }),
  body: StoreInput,
  refuses: [testFailed, storeUnavailable],
  returns: one(ApplicationStores),
  load: requireApplicationOfPath,
  async handle({ application: { id: applicationId }, body, ...call }) {
    const { db, customStores } = call
    return call.exclusive(`custom store of ${applicationId}`, async () => {
      const settings = settingsFrom(body, await findCurrentStore(db, applicationId), call)
      const id = (await findOwnStoreId(db, applicationId, settings)) ?? shortId(10)
      requirePassed(await customStores.test(id, settings))
      await customStores.claim(id, settings)
      const data = await conflictsAs({ custom_stores_location: locationUsed }, () =>
        inTransaction(db, async (tx) => {
          const application = await requireLockedApplication(tx, applicationId)
          const before = await findCurrentStore(tx, applicationId)
          await saveCurrentStore(tx, {
            id,
            application_id: applicationId,
            endpoint: settings.endpoint,
            region: settings.region,
            bucket: settings.bucket,
            prefix: settings.prefix,
            force_path_style: settings.forcePathStyle,
            acl: settings.acl,
            credentials_encrypted: customStores.sealCredentials(id, settings.credentials),
          })
          const enabled = await saveApplication(tx, applicationId, { custom_store_enabled: true })
          const after = await findCurrentStore(tx, applicationId)
          await recordEvent(tx, call, {
            action: 'custom_store.saved',
            applicationId,
            subject: { type: 'custom_store', id },
            before:
              before === undefined ? null : storeAuditSnapshot(before, application.custom_store_enabled),
            after:
              after === undefined ? null : { ...storeAuditSnapshot(after, true), tested_at: after.tested_at },
          })
          return applicationStores(tx, enabled)
        }),
      )
      return { message: 'Custom store saved. New uploads are stored there.', data }
    })
  },
})
