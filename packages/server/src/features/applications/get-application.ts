import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { findBuildTotals } from '../builds/storage-usage.db.ts'
import { requireApplicationOfPath } from './application.db.ts'
import { applicationResource, SingleApplication } from './application.ts'

export const getApplication = endpoint({
  method: 'GET',
  path: '/applications/:application_id',
  scope: { workspace: 'applications:read', application: null },
  summary: 'Get an application',
  params: Type.Object({ application_id: ApplicationId }),
  returns: one(SingleApplication),
  visible: requireApplicationOfPath,
  async handle({ db, config, application }) {
    const totals = await findBuildTotals(db, application.id)
    return {
      message: 'Application retrieved.',
      data: {
        ...applicationResource(application, totals.storedBytes, config.publicUrl),
        build_count: totals.count,
      },
    }
  },
})
