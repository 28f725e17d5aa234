import type { Logger } from 'pino'
import { connectDatabase, type Connection } from '../database/connect.ts'
import { checkDatabase } from '../database/health.ts'
import type { Db } from '../database/transaction.ts'
import { createReadinessCheck } from '../http/readiness.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { assertSameInstallation } from '../storage/installation/installation.ts'

type Options = {
  connection: Connection
  isPooled: boolean
  isDiskFull: (() => boolean) | undefined
  storage: StorageDriver
  log: Logger
}

/**
 * Creates the check of /readyz, which throws if the database or storage does not work. It uses a separate connection,
 * because all connections of the pool can be busy while the database is healthy.
 */
export function openReadinessCheck(
  { connection, isPooled, isDiskFull, storage, log }: Options,
  closers: (() => Promise<void>)[],
): { check: () => Promise<void>; db: Db } {
  const { db, close } = connectDatabase({ connection, isPooled, maxConnections: 1, log })
  closers.push(close)
  const check = createReadinessCheck([
    { subject: 'The database', run: () => checkDatabase(db, isDiskFull) },
    {
      subject: 'Storage',
      run: async () => {
        await assertSameInstallation(db, storage.identity)
        await storage.check()
      },
    },
  ])
  return { check, db }
}
