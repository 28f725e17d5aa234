import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireFullRelease } from './release.db.ts'
import { FullRelease, ReleaseId } from './release.ts'

export const getRelease = endpoint({
  method: 'GET',
  path: '/applications/:application_id/releases/:release_id',
  scope: { workspace: 'releases:read', application: 'releases:read' },
  summary: 'Get a release with its notes and builds',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  returns: one(FullRelease),
  async visible({ db, actor, params, config }) {
    const { id } = await requireApplication(db, actor, params.application_id)
    return { release: await requireFullRelease(db, id, params.release_id, config) }
  },
  async handle({ release }) {
    return { message: 'Release retrieved.', data: release }
  },
})
