import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addKeysCreate } from './create.ts'
import { addKeysList } from './list.ts'
import { addKeysRevoke } from './revoke.ts'

export function addKeys(program: Command, runtime: Runtime): void {
  const keys = addCommandGroup(program, 'keys', 'create, list and revoke API keys')
  addKeysCreate(keys, runtime)
  addKeysList(keys, runtime)
  addKeysRevoke(keys, runtime)
}
