import { Option } from 'commander'
import type { Command } from 'commander'
import { parseTimestamp } from './option-parsers.ts'

/** The options that filter or sort a list, by the query parameter that each of them sets. */
export type FilterOptions<Params> = { [Name in keyof Params]?: Option }

/** Adds the options that filter or sort a list to its command. */
export function withFilterOptions<Params>(command: Command, filters: FilterOptions<Params>): Command {
  for (const option of Object.values(filters as Record<string, Option>)) command.addOption(option)
  return command
}

/** Returns the query parameters for the options that are set or have a default. `options` are the parsed options. */
export function filterParams<Params>(filters: FilterOptions<Params>, options: object): Partial<Params> {
  const values = new Map(Object.entries(options))
  const params = Object.entries(filters as Record<string, Option>)
    .map(([name, option]) => [name, values.get(option.attributeName())] as const)
    .filter(([, value]) => value !== undefined)
  return Object.fromEntries(params) as Partial<Params>
}

/** Returns the options that sort a list. By default, the most recently created items come first. */
export const sortOptions = (fields: string[]) => ({
  sort_by: new Option('--sort-by <field>', 'field to sort by').choices(fields).default('created_at'),
  sort: new Option('--sort <direction>', 'sort direction').choices(['asc', 'desc']).default('desc'),
})

/** Returns an option whose value is a time such as 2027-01-31. */
export const timeOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser(parseTimestamp)
