import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './database/transaction.ts'
import type { Queue } from './jobs/queue.ts'
import type { AddressRules } from './lib/address-rules.ts'
import type { Clock } from './lib/clock.ts'
import type { InFlight } from './lib/in-flight.ts'
import type { IssuerKeys } from './lib/issuer-keys.ts'
import type { Mailer } from './lib/mailer.ts'
import type { SecretBox } from './lib/secret-box.ts'
import type { TxtRecords } from './lib/txt-records.ts'
import type { WindowCounter } from './lib/window-counter.ts'
import type { StorageDriver } from './storage/driver.ts'

/** The parts every operation and job may use; handed down, never imported. */
export type Deps = {
  db: Db
  storage: StorageDriver
  queue: Queue
  inFlight: InFlight
  clock: Clock
  log: Logger
  secretBox: SecretBox
  /** Guesses of passwords, by what is guessed and from where. */
  guessLimit: WindowCounter
  /** undefined while no SMTP server is set: mails are kept then. */
  mailer: Mailer | undefined
  /** Keys of OIDC issuers, and the addresses where an issuer may be. */
  issuerKeys: IssuerKeys
  issuerAddresses: AddressRules
  /** Asked whether a domain belongs to who says so. */
  txtRecords: TxtRecords
  config: Config
}
