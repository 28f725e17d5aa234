import type { Tx } from '../../../database/transaction.ts'
import { recordEvent, type Initiator } from '../../../events/record-event.ts'
import type { TeamRole } from './team-application.db.ts'

type Members = {
  team: { id: string; name: string }
  change: 'added' | 'removed'
  /** Their email addresses. */
  members: readonly string[]
  /** The roles that they get or lose. */
  applications: readonly TeamRole[]
}

/** Records that people joined or left a team; does nothing without people. */
export async function recordTeamMembers(
  tx: Tx,
  initiator: Initiator,
  { team: { id, name }, change, members, applications }: Members,
): Promise<void> {
  if (members.length === 0) return
  const snapshot = { name, members, applications }
  await recordEvent(tx, initiator, {
    action: `team.members_${change}`,
    applicationId: null,
    subject: { type: 'team', id },
    ...(change === 'added' ? { after: snapshot } : { before: snapshot }),
  })
}
