import { sql } from 'kysely'
import type { Executor } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import type { StepsDone } from './first-steps.ts'

const phones = sql.lit('iPhone|iPad|iPod|Android')

/** Phones are looked for in this many downloads of each application and platform, so that large workspaces cost little. */
const searchedDownloads = 50

/** Returns which steps the workspace has taken, and what the person has hidden. */
export async function findFirstSteps(db: Executor, { workspaceId, userId }: Actor) {
  const inOwn = sql`from applications where workspace_id = ${workspaceId} and not is_sample and exists`
  const { rows } = await sql<StepsDone & { hidden: boolean; phone_card_hidden: boolean }>`
    select
      exists (select ${inOwn} (select from builds where application_id = applications.id)) as first_build,
      exists (
        select from workspace_members join sessions on sessions.user_id = workspace_members.user_id
        where workspace_members.workspace_id = ${workspaceId} and user_agent ~ ${phones}
      ) or exists (select ${inOwn} (
        select from application_platforms cross join lateral (
          select user_agent from downloads
          where downloads.application_id = application_platforms.application_id
            and downloads.platform = application_platforms.platform
          order by downloads.created_at desc, downloads.id desc limit ${sql.lit(searchedDownloads)}
        ) as latest
        where application_platforms.application_id = applications.id and user_agent ~ ${phones}
      )) as phone,
      exists (
        select from api_keys where workspace_id = ${workspaceId} and revoked_at is null
          and trusted_publisher_ids is null and (user_id is not null or created_by <> 'first start')
          and not exists (select from applications where id = api_keys.application_id and is_sample)
      ) or exists (
        select ${inOwn} (select from trusted_publishers where application_id = applications.id)
      ) as api_key,
      exists (
        select from workspace_members where workspace_id = ${workspaceId} and user_id is distinct from ${userId}
      ) or exists (select from invitations where workspace_id = ${workspaceId}) as invitation,
      exists (select ${inOwn} (
        select from share_links where application_id = applications.id and build_id is not null
        union all
        select from releases join share_links on share_links.release_id = releases.id
        where releases.application_id = applications.id
      )) as share_link,
      coalesce(choices.hides_steps, false) as hidden,
      coalesce(choices.hides_phone_card, false) as phone_card_hidden
    from (values (1)) as one left join first_step_choices as choices
      on choices.workspace_id = ${workspaceId} and choices.user_id = ${userId}`.execute(db)
  const { hidden = false, phone_card_hidden = false, ...done } = rows[0] ?? {}
  return { done: done as StepsDone, hidden, phone_card_hidden }
}

/** Saves what the person hides. Choices that are not given stay as they are. */
export async function saveFirstStepChoices(
  db: Executor,
  { workspaceId, userId }: Actor,
  changes: { hides_steps?: boolean; hides_phone_card?: boolean },
): Promise<void> {
  await db
    .insertInto('first_step_choices')
    .values({ workspace_id: workspaceId, user_id: userId ?? '', ...changes })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet(changes))
    .execute()
}
