import { byteBudget, orNull, readHead } from '../bytes.ts'
import { programReader } from '../executables/program-reader.ts'
import type { ByteSource, Inspection } from '../inspection.ts'
import { stoppable } from '../signatures/signature.ts'
import { named } from './main-program.ts'

const headBytes = 64
/** Inflating this much takes two to four seconds. */
const maxForwardBytes = 512 * 2 ** 20

/** Returns the metadata of a program in an archive, or null for other files. */
export async function inspectOpened(
  source: ByteSource,
  content: ByteSource,
  path: string,
): Promise<Inspection | null> {
  const reader = programReader(await readHead(source, headBytes))
  return reader === undefined ? null : named(await reader(source, content), path)
}

/**
 * Returns what can be read of a program that does not fit into memory, or null. Its signature is not verified, because that
 * requires the bytes at its end first.
 */
export const inspectForward = (source: ByteSource, path: string): Promise<Inspection | null> =>
  orNull(
    inspectOpened(
      source,
      stoppable(source, () => false),
      path,
    ),
  )

/** Limits the number of bytes that are inflated for a program that does not fit into memory. */
export const forwardBudget = (): ((bytes: number) => void) =>
  byteBudget(maxForwardBytes, 'The program is too large.')
