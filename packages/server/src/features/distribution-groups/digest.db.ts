import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import type { VersionColumns } from '../../http/endpoint/version-parts.ts'
import { getsEmails, isEligible } from './distribution-group-member.db.ts'

export type DigestEntry = VersionColumns & {
  id: string
  email: string
  member_id: string
  digest: string
  group_name: string
  workspace_id: string
  workspace_name: string
  title: string
  application_name: string
}

/**
 * Deletes the due entries of up to `limit` members and returns how many there were and those whose release is still
 * shared with a member who still gets emails. Of concurrent calls, only one gets an entry.
 */
export async function deleteDueEntries(
  tx: Tx,
  limit: number,
): Promise<{ deleted: number; entries: DigestEntry[] }> {
  const { rows: due } = await sql<{ notification_id: string }>`
    delete from digest_entries where due_at <= now() and member_id = any(array(
      select member_id from digest_entries where due_at <= now() group by member_id limit ${limit}))
    returning notification_id`.execute(tx)
  const ids = due.map(({ notification_id }) => notification_id)
  const { rows: entries } = await sql<DigestEntry>`
    select n.id, n.email, m.id as member_id, coalesce(m.digest, g.digest) as digest, g.name as group_name,
      g.workspace_id, workspaces.name as workspace_name, r.title, r.version_major, r.version_minor, r.version_patch,
      r.version_extra, r.version_meta, a.name as application_name
    from release_notifications n
      join releases r on r.id = n.release_id and r.status = 'published'
      join applications a on a.id = r.application_id and a.deleted_at is null
      join distribution_group_releases gr on gr.release_id = r.id
      join distribution_groups g on g.id = gr.distribution_group_id and g.is_active
      join workspaces on workspaces.id = g.workspace_id
      join distribution_group_members m on m.distribution_group_id = g.id and lower(m.email) = n.email
    where n.id = any(${ids}::uuid[]) and ${getsEmails} and ${isEligible}
    order by n.email, gr.added_at, r.id`.execute(tx)
  // A person may belong to several groups with the release.
  const first = new Map<string, DigestEntry>()
  for (const entry of entries) if (!first.has(entry.id)) first.set(entry.id, entry)
  return { deleted: ids.length, entries: [...first.values()] }
}
