import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { pageFrom, pageOf, pageQuery, pagination, sortQuery } from '../../http/pagination.ts'
import { listMailsPage } from './mail.db.ts'
import { Mail } from './mail.ts'

const perPage = 15

export const listMails = endpoint({
  method: 'GET',
  path: '/workspace/outbox',
  scope: { workspace: 'members:write' },
  summary: 'List workspace emails',
  description:
    'Without an SMTP server, emails stay in the `waiting` state. The text of an email is deleted once it is sent.',
  query: Type.Object({
    ...pageQuery(perPage),
    ...sortQuery(['created_at'], 'created_at'),
    state: Type.Optional(Type.Enum(['waiting', 'sent', 'failed'])),
  }),
  returns: pageOf(Mail),
  async handle({ db, actor, query }) {
    const page = pageFrom(query, perPage)
    const { sort: direction = 'asc', state } = query
    const filter = { workspaceId: actor.workspaceId, direction, ...(state === undefined ? {} : { state }) }
    const { rows, total } = await listMailsPage(db, filter, page)
    return {
      message: 'Emails retrieved.',
      data: rows.map(({ state, ...row }) => ({
        ...row,
        state: state as 'waiting' | 'sent' | 'failed',
        text_body: state === 'sent' ? null : row.text_body,
      })),
      pagination: pagination(page, total, rows.length),
    }
  },
})
