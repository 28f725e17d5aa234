import type { ResultFields } from '../../output/declared-fields.ts'

/** The fields of what `quayside mirror` and `quayside export` print. */
export const mirrorResultFields: ResultFields = {
  application_id: false,
  folder: false,
  copied: false,
  updated: false,
  deleted: false,
  releases: false,
  received_bytes: false,
}
