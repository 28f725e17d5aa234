import { sql } from 'kysely'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { uuidV7 } from '../../lib/ids.ts'

const columns = [
  'id',
  'recipient',
  'subject',
  'text_body',
  'html_body',
  'unsubscribe_url',
  'secrets',
  'is_private',
  'state',
  'error',
  'created_at',
  'sent_at',
] as const

export type NewMail = {
  workspaceId: string
  to: string
  subject: string
  text: string
  html: string
  unsubscribeUrl?: string
  /** The parts of `text` and `html` that only the recipient may see. */
  secrets?: string[]
}

/** Inserts any number of emails with one statement and returns their IDs. */
export async function insertMails(tx: Tx, mails: readonly NewMail[], isPrivate: boolean): Promise<string[]> {
  const ids = mails.map(() => uuidV7())
  const column = (value: (mail: NewMail) => string | null) => mails.map(value)
  await sql`
    insert into mails (id, workspace_id, recipient, subject, text_body, html_body, unsubscribe_url, secrets,
      is_private)
    select id, workspace_id, recipient, subject, text_body, html_body, unsubscribe_url,
      array(select json_array_elements_text(secrets)), ${isPrivate}::boolean
    from unnest(${ids}::uuid[], ${column((mail) => mail.workspaceId)}::text[],
      ${column(({ to }) => to)}::text[], ${column(({ subject }) => subject)}::text[],
      ${column(({ text }) => text)}::text[], ${column(({ html }) => html)}::text[],
      ${column(({ unsubscribeUrl }) => unsubscribeUrl ?? null)}::text[],
      ${column(({ secrets = [] }) => JSON.stringify(secrets))}::json[])
      as mail (id, workspace_id, recipient, subject, text_body, html_body, unsubscribe_url, secrets)`.execute(
    tx,
  )
  return ids
}

export async function findMail(db: Executor, id: string) {
  return db
    .selectFrom('mails')
    .select([...columns, 'workspace_id'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function listMailsPage(
  db: Executor,
  { workspaceId, state, direction }: { workspaceId: string; state?: string; direction: 'asc' | 'desc' },
  page: Page,
) {
  let matching = db.selectFrom('mails').where('workspace_id', '=', workspaceId)
  if (state !== undefined) matching = matching.where('state', '=', state)
  return listWithTotal(
    matching
      .select(columns)
      .orderBy('created_at', direction)
      .orderBy('id', direction)
      .limit(page.limit)
      .offset(page.offset),
    matching,
  )
}

/** Marks the email as sent and deletes its text, which may contain links intended only for the recipient. */
export async function markMailSent(db: Executor, id: string): Promise<void> {
  await db
    .updateTable('mails')
    .set((eb) => ({
      state: 'sent',
      error: null,
      text_body: '',
      html_body: null,
      unsubscribe_url: null,
      secrets: [],
      sent_at: eb.fn<string>('now'),
    }))
    .where('id', '=', id)
    .execute()
}

export async function recordMailError(
  db: Executor,
  id: string,
  state: 'waiting' | 'failed',
  error: string,
): Promise<void> {
  await db.updateTable('mails').set({ state, error }).where('id', '=', id).execute()
}

/** Deletes up to `limit` emails older than `days` days, in any state; returns the number deleted. */
export async function deleteSomeOldMails(db: Executor, days: number, limit: number): Promise<number> {
  const some = db
    .selectFrom('mails')
    .select('id')
    .where(sql<boolean>`created_at < now() - make_interval(days => ${days}::int)`)
    .limit(limit)
  const result = await db.deleteFrom('mails').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}
