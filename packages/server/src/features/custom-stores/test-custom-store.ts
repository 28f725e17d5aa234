import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { shortId } from '../../lib/ids.ts'
import { findCurrentStore } from '../../storage/custom/custom-store.db.ts'
import { findOwnStoreId, inputOf, Report, settingsFrom, StoreTestInput } from './custom-store.ts'

export const testCustomStore = endpoint({
  method: 'POST',
  path: '/applications/:application_id/custom-store/test',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Test a custom store',
  description:
    'Writes, reads, lists and deletes a test file, and reports each step with what to do if it failed. ' +
    'May add a rule to the CORS settings of the bucket, so that browsers can upload. Saves nothing. ' +
    'An empty body tests the saved store.',
  params: Type.Object({ application_id: ApplicationId }),
  body: StoreTestInput,
  returns: one(Report),
  load: requireApplicationOfPath,
  async handle({ application: { id: applicationId }, body, ...call }) {
    const { db, customStores } = call
    return call.exclusive(`custom store of ${applicationId}`, async () => {
      const saved = await findCurrentStore(db, applicationId)
      const isSaved = Object.keys(body).length === 0
      if (body.bucket === undefined && (!isSaved || saved === undefined))
        throw invalid({ bucket: [isSaved ? 'is required, because no store is saved.' : 'is required.'] })
      const input = isSaved && saved !== undefined ? inputOf(saved) : body
      const settings = settingsFrom(input, saved, call)
      const id = (await findOwnStoreId(db, applicationId, settings)) ?? shortId(10)
      const data = await customStores.test(id, settings)
      const message = data.passed ? 'All steps passed.' : 'The test failed. See the steps.'
      return { message, data }
    })
  },
})
