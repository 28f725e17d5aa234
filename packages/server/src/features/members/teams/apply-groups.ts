import { inTransaction, type Db } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { recordTeamMembers } from './record-team-members.ts'
import { listRolesOfTeam } from './team-application.db.ts'
import { assignSsoSource, lockTeamsOfGroups } from './team-group.db.ts'
import { countTeamMembers, deleteTeamMembers, insertTeamMembers } from './team-member.db.ts'
import { maxMembers } from './team.ts'

/**
 * Makes a person a member of exactly the mapped teams whose groups they are in, in the workspaces to which they belong.
 * Memberships from other sources stay, except that one added by hand depends on the group from then on.
 */
export async function applyGroups(
  { db, log }: { db: Db } & Pick<Deps, 'log'>,
  userId: string,
  groups: readonly string[],
): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const team of await lockTeamsOfGroups(tx, userId, groups)) {
      const { id, workspace_id: workspaceId, source, email } = team
      if (team.is_in_group && source === 'manual') await assignSsoSource(tx, id, userId)
      if (team.is_in_group === (source !== null)) continue
      if (!team.is_in_group && source !== 'sso') continue
      if (team.is_in_group && (await countTeamMembers(tx, id)) >= maxMembers) {
        log.warn({ team: id, user: userId }, 'the team of a group is full, so that a person did not join it')
        continue
      }
      if (team.is_in_group) await insertTeamMembers(tx, { teamId: id, workspaceId, source: 'sso' }, [userId])
      else await deleteTeamMembers(tx, id, [userId])
      const actor = { via: 'system', id: null, name: 'Single sign-on', workspaceId } as const
      await recordTeamMembers(
        tx,
        { actor, address: null },
        {
          team,
          change: team.is_in_group ? 'added' : 'removed',
          members: [email],
          applications: await listRolesOfTeam(tx, id),
        },
      )
    }
  })
}
