import type { CommandContext } from './command-context.ts'
import { Failure } from './failure.ts'
import { askLine } from './standard-input.ts'

export type ConfirmOptions = { yes?: boolean }

export const yesOption = ['--yes', 'do not ask for confirmation'] as const

/**
 * Asks the user to confirm a deletion. Throws if the user declines, or if standard input is not a terminal and `--yes`
 * is not set.
 */
export async function confirmDeletion(
  context: CommandContext,
  { yes }: ConfirmOptions,
  question: string,
): Promise<void> {
  if (yes === true) return
  requireTerminal(context)
  const answer = await askLine(context, `${question} [y/N] `)
  if (!/^y(es)?$/i.test(answer)) throw cancelled()
}

/** Asks the user to confirm a far-reaching deletion by typing the name of what is deleted. */
export async function confirmDeletionByName(
  context: CommandContext,
  { yes }: ConfirmOptions,
  question: string,
  name: string,
): Promise<void> {
  if (yes === true) return
  requireTerminal(context)
  const answer = await askLine(context, `${question}\nType "${name}" to confirm: `)
  if (answer !== name.trim()) throw cancelled()
}

function requireTerminal({ runtime }: CommandContext): void {
  if (runtime.stdin.isTTY === true) return
  throw new Failure(
    'usage',
    'Confirmation is required, but standard input is not a terminal. Add --yes to confirm.',
  )
}

const cancelled = (): Failure => new Failure('failed', 'Canceled. Nothing was deleted.')
