import { backup } from './backup.ts'
import type { AdminCommand } from './command.ts'
import { doctor } from './doctor.ts'
import { exportCommand } from './export.ts'
import { fsck } from './fsck.ts'
import { importCommand } from './import.ts'
import { migrateStorage } from './migrate-storage.ts'
import { moveDatabase } from './move-database.ts'
import { recordBounceCommand } from './record-bounce.ts'
import { restore } from './restore.ts'
import { storageSetup } from './storage-setup.ts'
import { sweep } from './sweep.ts'

/** The commands of `quayside-server admin`, in the order of the help. */
export const commands: readonly AdminCommand[] = [
  doctor,
  fsck,
  sweep,
  backup,
  restore,
  exportCommand,
  importCommand,
  moveDatabase,
  storageSetup,
  migrateStorage,
  recordBounceCommand,
]
