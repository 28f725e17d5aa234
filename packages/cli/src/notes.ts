import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { CommandContext } from './command-context.ts'
import { Failure } from './failure.ts'
import { readStandardInput } from './standard-input.ts'

export type NotesOptions = { notes?: string; notesFile?: string }

/** Adds the options that set the release notes. */
export function withNotesOptions(command: Command): Command {
  return command
    .option('--notes <text>', 'release notes in Markdown')
    .option('--notes-file <path>', 'read the release notes from a file (use - for standard input)')
}

/** Returns the release notes that the options select, or undefined if none are set. */
export async function readNotes(
  context: CommandContext,
  { notes, notesFile }: NotesOptions,
): Promise<string | undefined> {
  if (notesFile === undefined) return notes
  if (notes !== undefined) throw new Failure('usage', 'Use either --notes or --notes-file, not both.')
  if (notesFile === '-') return readStandardInput(context, '--notes-file -')
  return readFile(resolve(context.runtime.cwd, notesFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Failure(
      'failed',
      `Cannot read ${notesFile} (${error.code}). Check the path and its permissions.`,
      { cause: error },
    )
  })
}
