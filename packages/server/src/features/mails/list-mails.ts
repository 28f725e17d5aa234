import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { pageFrom, pageOf, pageQuery, pagination, sortQuery } from '../../http/endpoint/pagination.ts'
import { listMailsPage } from './mail.db.ts'
import { canReadSecrets, hideSecrets, Mail } from './mail.ts'

const perPage = 15

export const listMails = endpoint({
  method: 'GET',
  path: '/workspace/outbox',
  scope: { workspace: 'members:write' },
  summary: 'List workspace emails',
  description:
    'Without an SMTP server, emails stay in the `waiting` state. The text of an email is deleted once it is sent. ' +
    'The secrets in invitations and personal links are hidden, because they prove access to the mailbox; without an ' +
    'SMTP server, a key with every workspace scope can read them and pass them on.',
  query: Type.Object({
    ...pageQuery(perPage),
    ...sortQuery(['created_at'], 'created_at'),
    state: Type.Optional(Type.Enum(['waiting', 'sent', 'failed'])),
  }),
  returns: pageOf(Mail),
  async handle({ db, actor, mailer, query }) {
    const page = pageFrom(query, perPage)
    const { sort: direction = 'asc', state } = query
    const filter = { workspaceId: actor.workspaceId, direction, ...(state === undefined ? {} : { state }) }
    const canRead = canReadSecrets({ actor, mailer }, { isOwn: false })
    const { rows, total } = await listMailsPage(db, filter, page)
    return {
      message: 'Emails retrieved.',
      data: rows.map(({ secrets, is_private, unsubscribe_url: _, ...row }) => {
        // Secrets remain hidden in emails that were queued for an SMTP server, even if that server is no longer
        // configured.
        const hidden = canRead && !is_private ? [] : secrets
        return {
          ...row,
          state: row.state as 'waiting' | 'sent' | 'failed',
          text_body: row.state === 'sent' ? null : hideSecrets(row.text_body, hidden),
          html_body: row.html_body === null ? null : hideSecrets(row.html_body, hidden),
        }
      }),
      pagination: pagination(page, total, rows.length),
    }
  },
})
