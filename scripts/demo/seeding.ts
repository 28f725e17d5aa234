import type { QuaysideClient } from '@quayside/sdk'
import type { Journal } from './journal.ts'
import type { Size } from './plan/build-plan.ts'
import type { PersonId } from './plan/people.ts'
import type { Random } from './random.ts'

export type Log = (line: string) => void

/** What every step of the seeding needs. */
export type Seeding = {
  client: QuaysideClient
  /** The URL of the service. */
  url: string
  size: Size
  /** The present in the story of the demo. */
  now: Date
  seed: string
  random: Random
  journal: Journal
  log: Log
}

/** The IDs of the users who accepted their invitations. */
export type UserIds = ReadonlyMap<PersonId, string>

/** Returns 8:00 UTC on the day that is this number of days ago. */
export const daysBefore = (now: Date, days: number): Date =>
  new Date(new Date(now.getTime() - days * 24 * 60 * 60 * 1000).setUTCHours(8, 0, 0, 0))
export const hoursAfter = (time: Date, hours: number): Date =>
  new Date(time.getTime() + hours * 60 * 60 * 1000)
