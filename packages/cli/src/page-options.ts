import { allItems } from '@quayside/sdk'
import type { Pagination } from '@quayside/sdk'
import type { Command } from 'commander'
import type { CommandContext } from './command-context.ts'
import { integerBetween } from './option-parsers.ts'
import { formatTable } from './output/format.ts'
import type { Cell } from './output/format.ts'

export type PageOptions = { page: number; perPage: number; all?: boolean }

type List<Item> = {
  /** The plural noun for the listed resources, such as `builds`. */
  noun: string
  fetchPage: (page: number, perPage: number) => Promise<{ data: Item[]; pagination: Pagination }>
  headings: string[]
  row: (item: Item) => Cell[]
}

/** Adds the options that select a page of a list. */
export function withPageOptions(command: Command, noun: string): Command {
  return command
    .option('--page <number>', 'page number', integerBetween(1, 1_000_000), 1)
    .option('--per-page <number>', `${noun} per page, up to 100`, integerBetween(1, 100), 15)
    .option('--all', `list all ${noun}, not only one page`)
}

/** Prints the selected page of a list, or all of it, as a table. */
export async function printPage<Item>(
  context: CommandContext,
  options: PageOptions,
  list: List<Item>,
): Promise<void> {
  await printListed(context, options, {
    ...list,
    print: (items) => context.output.result(items, (columns) => formatList(items, list, columns)),
  })
}

/** Passes the selected page of a list, or all of it, to `print`, and says how to see more. */
export async function printListed<Item>(
  { output }: CommandContext,
  options: PageOptions,
  { noun, fetchPage, print }: Pick<List<Item>, 'noun' | 'fetchPage'> & { print: (items: Item[]) => void },
): Promise<void> {
  if (options.all === true) {
    print(await allItems((page) => fetchPage(page, 100)))
    return
  }
  const { data, pagination } = await fetchPage(options.page, options.perPage)
  print(data)
  const { total, last_page, from, to } = pagination
  if (options.page > Math.max(last_page, 1))
    output.note(`Page ${options.page} is past the last page (${last_page}).`)
  else if (last_page > 1)
    output.note(
      `\n${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${from} to ${to} of ${total}.${options.page < last_page ? ' Use --page or --all to see more.' : ''}`,
    )
}

/** Formats a list as a table, or as a sentence if it is empty. */
export function formatList<Item>(
  items: Item[],
  { noun, headings, row }: Pick<List<Item>, 'noun' | 'headings' | 'row'>,
  columns?: number,
): string {
  return items.length === 0 ? `No ${noun} found.` : formatTable(headings, items.map(row), columns)
}
