import type { Tx } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import type { Initiator } from '../../../events/record-event.ts'
import { unauthorized } from '../../../http/wire/errors.ts'
import { lockScimToken, type ScimCaller } from './scim-token.db.ts'

/** The context in which an identity provider changes a workspace. */
export type Provisioner = Initiator & Pick<Deps, 'dependents'> & { caller: ScimCaller }

/** Creates the initiator of changes for the audit log. */
export const provisionerOf = (
  { dependents }: Pick<Deps, 'dependents'>,
  caller: ScimCaller,
  address: string | null,
): Provisioner => ({
  dependents,
  caller,
  address,
  actor: { via: 'system', id: null, name: 'SCIM', workspaceId: caller.workspaceId },
})

/** Orders the changes of a workspace, and refuses a token that has just been revoked. Must begin the transaction. */
export async function beginProvisioning(tx: Tx, { caller }: Provisioner): Promise<void> {
  if (!(await lockScimToken(tx, caller))) throw unauthorized()
}
