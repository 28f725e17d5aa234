import type { EntryChange, FileComparison } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure, withNotFoundMessage } from '../../failure.ts'
import type { Cell } from '../../output/format.ts'
import { formatList, printListed, withPageOptions } from '../../page-options.ts'
import type { PageOptions } from '../../page-options.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatChangedSizes, formatComparison } from './format-comparison.ts'
import { requireBuildIds, withLatestOptions } from './select-build.ts'
import type { LatestOptions } from './select-build.ts'

type DiffOptions = LatestOptions &
  PageOptions & {
    kind?: EntryChange['kind']
    search?: string
    file?: string
    sortBy: 'size_change' | 'size' | 'path'
  }

export function addBuildsDiff(parent: Command, runtime: Runtime): void {
  addCommand<DiffOptions>(parent, runtime, {
    usage: 'diff <base> <build>',
    summary: 'show what changed between two builds',
    description:
      'Show which entries of the archives of two builds were added, removed, changed or renamed, the largest\n' +
      'changes first. The builds are IDs or "latest". ZIP and tar archives can be compared.',
    result: {
      before: { id: false, filename: false, size_bytes: false },
      after: { id: false, filename: false, size_bytes: false },
      shared_bytes: false,
      totals: true,
      unreadable: false,
      entries: 'listEntryChanges',
    },
    example: 'quayside builds diff h7k2m9x4c1 latest --stream nightlies',
    options: (command) =>
      withPageOptions(
        withLatestOptions(command)
          .addOption(
            new Option('--kind <kind>', 'only entries that changed in this way').choices([
              'added',
              'removed',
              'changed',
              'renamed',
            ]),
          )
          .option('--search <text>', 'only entries whose path contains this text')
          .addOption(
            new Option('--sort-by <field>', 'order of the entries')
              .choices(['size_change', 'size', 'path'])
              .default('size_change'),
          )
          .option('--file <name>', 'compare this expansion file instead of the primary file'),
        'entries',
      ),
    async run(context, [base = '', selected = ''], options) {
      const application_id = await requireApplicationId(context)
      const client = context.client()
      const { signal } = context
      const [base_build_id = '', build_id = ''] = await requireBuildIds(
        context,
        application_id,
        [base, selected],
        options,
      )
      const builds = { application_id, build_id, base_build_id }
      const { data } = await withNotFoundMessage(
        client.getBuildComparison(builds, { signal }),
        `Build ${base_build_id} or ${build_id} was not found in this application. Run \`quayside builds list\` to see the builds.`,
      )
      const file = selectFile(data.files, options.file)
      const file_id = (file.after ?? file.before)?.id
      if (file.unreadable !== null) throw new Failure('failed', unreadableMessage(file))
      const filter = {
        ...(file_id === undefined ? {} : { file_id }),
        ...(options.kind === undefined ? {} : { kind: options.kind }),
        ...(options.search === undefined ? {} : { search: options.search }),
        sort_by: options.sortBy,
        sort: options.sortBy === 'path' ? ('asc' as const) : ('desc' as const),
      }
      const list = { noun: 'changed entries', headings, row: rowOf }
      await printListed(context, options, {
        ...list,
        fetchPage: (page, per_page) =>
          client.listEntryChanges({ ...builds, ...filter, page, per_page }, { signal }),
        print: (entries) =>
          context.output.result(
            { ...file, entries },
            (columns) => `${formatComparison(file)}\n\n${formatList(entries, list, columns)}`,
          ),
      })
    },
  })
}

const headings = ['KIND', 'BEFORE', 'AFTER', 'DIFFERENCE', 'PATH']

const rowOf = (entry: EntryChange): Cell[] => [entry.kind, ...formatChangedSizes(entry), pathOf(entry)]

function selectFile(files: readonly FileComparison[], name: string | undefined): FileComparison {
  const names = files.map(({ before, after }) => [after?.filename, before?.filename])
  const index = name === undefined ? 0 : names.findIndex((each) => each.includes(name))
  const found = files[index]
  if (found !== undefined) return found
  const known = names.map(([after, before]) => after ?? before).join(', ')
  throw new Failure('usage', `No file of the builds is named ${name}. The files are: ${known}.`)
}

function unreadableMessage({ before, after, unreadable }: FileComparison): string {
  const filename = (unreadable?.build === 'before' ? before : after)?.filename
  return `The entries of ${filename} cannot be compared. ${unreadable?.message}`
}

const pathOf = ({ path, previous_path: previous }: EntryChange): string =>
  previous === null ? path : `${previous} → ${path}`
