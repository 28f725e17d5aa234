import type { Config } from '../../config/config.ts'
import type { Db } from '../../database/transaction.ts'
import { sweepUploads } from '../../features/uploads/expire-uploads.job.ts'
import {
  findOrphans,
  quarantineDays,
  sweepOrphansOfStores,
} from '../../features/uploads/sweep-orphans.job.ts'
import { listExpiredUploads, listUnsweptUploads } from '../../features/uploads/upload-sweep.db.ts'
import { assertDeletionAllowed } from '../../jobs/deletion-guard.ts'
import { createSystemClock, type Clock } from '../../lib/clock.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import { deleteMarkedObjects, graceDays } from '../../storage/objects/delete-marked-objects.job.ts'
import { countUnreferenced, markAllUnreferencedObjects } from '../../storage/objects/mark-unreferenced.job.ts'
import { listOverdueKeys, listReferences } from '../../storage/objects/marked-objects.db.ts'
import { adminCommand } from './command.ts'
import { openInstallation, withCustomStores } from './data-access.ts'
import { createUnusableStores, incompleteExitCode, printUnusableStores } from './unusable-stores.ts'

const maxCountedKeys = 100_000
const dayMs = 24 * 60 * 60 * 1000

export const sweep = adminCommand({
  name: 'sweep',
  summary: 'delete the bytes that are no longer needed now instead of at night',
  description: `Expire inactive uploads, delete their bytes, quarantine files that no row refers to, and delete files whose grace period
has ended, as the background jobs do. The server can be running. The same safeguards apply: nothing is deleted if too
many files have no row, or if the clock may be wrong. Custom stores that cannot be used are skipped and named, with exit
code 3.`,
  parameters: [],
  options: { 'dry-run': { description: 'only count what would be deleted' } },
  examples: ['quayside-server admin sweep --dry-run'],
  async run({ config: settings, options, terminal, log, closers }) {
    const installation = await openInstallation(settings, { log, closers })
    const { config, db, storage: hosted } = installation
    const unusable = createUnusableStores()
    const { storage, stores } = await withCustomStores(installation, { log, closers, unusable })
    const deps = { config, db, storage, clock: createSystemClock(), log }
    const before = await countDeletable(deps)
    const isDryRun = options['dry-run']
    if (!isDryRun) {
      await assertDeletionAllowed(deps)
      await sweepUploads(deps)
      await sweepOrphansOfStores(deps, { hosted, stores, onFailure: unusable.add })
      await markAllUnreferencedObjects(deps)
      await deleteMarkedObjects(deps)
    }
    const after = isDryRun ? before : await countDeletable(deps)
    for (const [name, count] of Object.entries(before)) {
      const left = after[name as keyof Deletable]
      terminal.print(`${name}: ${count}${isDryRun ? '' : `, ${Math.max(0, count - left)} done`}`)
    }
    if (isDryRun) terminal.print('Nothing was changed.')
    const skipped = await unusable.list(db)
    printUnusableStores(terminal, skipped, 'This run')
    return skipped.length === 0 ? 0 : incompleteExitCode
  },
})

type Deletable = Awaited<ReturnType<typeof countDeletable>>

/** Counts what a run would handle, with the words of the report. */
async function countDeletable({
  db,
  storage,
  clock,
}: {
  config: Config
  db: Db
  storage: StorageDriver
  clock: Clock
}) {
  let overdueQuarantined = 0
  for await (const { quarantinedAt } of storage.listQuarantined())
    if (quarantinedAt.getTime() <= clock.now().getTime() - quarantineDays * dayMs) overdueQuarantined += 1
  const references = await listReferences(db)
  return {
    'inactive uploads to expire': (await listExpiredUploads(db)).length,
    'aborted and expired uploads with bytes to delete': (await listUnsweptUploads(db)).length,
    'stored keys without a row to quarantine': (await findOrphans({ db, storage, clock })).found,
    'quarantined keys to delete': overdueQuarantined,
    'files that nothing refers to, to mark for deletion': (
      await countUnreferenced({ db }, references, undefined)
    ).found,
    'marked files to delete': (await listOverdueKeys(db, graceDays, '', maxCountedKeys)).length,
  }
}
