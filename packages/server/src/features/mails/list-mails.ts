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
  summary: 'List the mails of the workspace: waiting, sent and failed',
  description: 'Without an SMTP server mails stay here. The text of a mail is dropped once it is sent.',
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
      message: 'Mails retrieved.',
      data: rows.map(({ state, ...row }) => ({
        ...row,
        state: state as 'waiting' | 'sent' | 'failed',
        text_body: state === 'sent' ? null : row.text_body,
      })),
      pagination: pagination(page, total, rows.length),
    }
  },
})
