import { Type } from 'typebox'
import { applicationRef, requireApplicationOfPath } from '../../../access/application.db.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../../http/endpoint/fields.ts'
import { pageFrom, pageOf, pageQuery, pagination } from '../../../http/endpoint/pagination.ts'
import { listAccessRequestsPage } from './access-request.db.ts'
import { AccessRequest, accessRequestResource } from './access-request.ts'

const perPage = 15

export const listAccessRequests = endpoint({
  method: 'GET',
  path: '/applications/:application_id/access-requests',
  scope: { workspace: 'applications:write', application: 'members:write' },
  summary: 'List access requests',
  description:
    'Lists the open requests of workspace members who cannot open the application, the oldest first. A request ends when it is approved or declined, when the person gets access in another way or leaves the workspace, when the application is deleted, or after 30 days.',
  params: Type.Object({ application_id: ApplicationId }),
  query: Type.Object(pageQuery(perPage)),
  returns: pageOf(AccessRequest),
  load: requireApplicationOfPath,
  async handle({ db, application, config, query }) {
    const page = pageFrom(query, perPage)
    const { rows, total } = await listAccessRequestsPage(db, applicationRef(application), page)
    return {
      message: 'Access requests retrieved.',
      data: rows.map((row) => accessRequestResource(row, config)),
      pagination: pagination(page, total, rows.length),
    }
  },
})
