import { Type } from 'typebox'
import { canReach } from '../../http/endpoint/actor.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { pageFrom, pageOf, pageQuery, pagination } from '../../http/endpoint/pagination.ts'
import { listInvitationsPage } from './invitation.db.ts'
import { Invitation } from './invitation.ts'

const perPage = 15

export const listInvitations = endpoint({
  method: 'GET',
  path: '/workspace/invitations',
  scope: { workspace: 'members:read' },
  summary: 'List invitations',
  description:
    'Includes accepted, revoked and expired invitations. A member of the workspace sees the invitations to the workspace and to the applications that the member can access.',
  query: Type.Object(pageQuery(perPage)),
  returns: pageOf(Invitation),
  async handle({ db, actor, query }) {
    const page = pageFrom(query, perPage)
    const { rows, total } = await listInvitationsPage(db, actor, page)
    const data = rows.map(({ applications, ...row }) => ({
      ...row,
      applications: applications.filter(({ application_id }) => canReach(actor, application_id)),
    }))
    return { message: 'Invitations retrieved.', data, pagination: pagination(page, total, rows.length) }
  },
})
