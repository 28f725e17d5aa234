import { Type } from 'typebox'
import { requireApplication } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { FullRelease, ReleaseId, requireFullRelease } from './release.ts'

export const getRelease = endpoint({
  method: 'GET',
  path: '/applications/:application_id/releases/:release_id',
  scope: { workspace: 'releases:read', application: 'releases:read' },
  summary: 'Get a release',
  description: 'Returns the release with its notes, labels and builds.',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  returns: one(FullRelease),
  async load({ db, actor, params, config }) {
    const { id } = await requireApplication(db, actor, params.application_id)
    return { release: await requireFullRelease(db, id, params.release_id, config) }
  },
  async handle({ release }) {
    return { message: 'Release retrieved.', data: release }
  },
})
