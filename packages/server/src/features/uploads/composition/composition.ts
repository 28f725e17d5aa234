import { problem } from '../../../lib/problem.ts'
import { cannotCompose } from '../../../storage/storage-errors.ts'

export const reuseUnavailable = problem(
  'conflict',
  'composition.unavailable',
  'The store of this upload cannot take bytes from other files. Send the whole file.',
)

export const compositionMismatch = problem(
  'bad_request',
  'composition.mismatch',
  'The SHA-256 of the composed file "{filename}" is {found}, not {expected}. Request a new upload and send the whole file.',
)

export const sourceDamaged = problem(
  'bad_request',
  'composition.source_damaged',
  'A stored file that "{filename}" takes bytes from is damaged. Request a new upload and send the whole file.',
)

/** The errors of verifying a composed file. */
export const compositionProblems = [compositionMismatch, sourceDamaged, reuseUnavailable, cannotCompose]
