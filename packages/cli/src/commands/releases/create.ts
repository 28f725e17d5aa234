import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { readNotes, withNotesOptions } from '../../notes.ts'
import type { NotesOptions } from '../../notes.ts'
import { collectList, parseFutureTime } from '../../option-parsers.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { requireVersionFields } from '../../version/version-options.ts'
import { requireBuildIds, withLatestOptions } from '../builds/select-build.ts'
import type { LatestOptions } from '../builds/select-build.ts'
import { formatRelease } from './format-release.ts'

type Options = NotesOptions &
  LatestOptions & { title?: string; label?: string[]; build?: string[]; draft?: boolean; schedule?: string }

export function addReleasesCreate(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'create <version>',
    summary: 'create a release',
    description: 'Create a release. It is published immediately unless --draft or --schedule is used.',
    result: 'createRelease',
    example: 'quayside releases create 1.2.3 --title "Summer update" --build latest --stream stable',
    options: (command) =>
      withLatestOptions(
        withNotesOptions(
          command
            .option('--title <title>', 'title shown to users (default: the version)')
            .option('--build <build>', 'build to add, by ID or "latest" (repeatable)', collectList)
            .option('--label <name>', 'label to add (repeatable)', collectList)
            .addOption(
              new Option('--draft', 'create a draft, which is visible only with an API key').conflicts(
                'schedule',
              ),
            )
            .option(
              '--schedule <time>',
              'publish the release at this time, or after a duration such as 12h, 7d or 4w',
              parseFutureTime,
            ),
        ),
      ),
    async run(context, [version = ''], options) {
      const versionFields = requireVersionFields(version)
      const notes = await readNotes(context, options)
      const application_id = await requireApplicationId(context)
      const build_ids = await requireBuildIds(context, application_id, options.build ?? [], options)
      const body = {
        ...versionFields,
        title: options.title ?? version,
        build_ids,
        ...(notes === undefined ? {} : { notes }),
        ...(options.draft === true ? { draft: true } : {}),
        ...(options.schedule === undefined ? {} : { scheduled_for: options.schedule }),
        ...(options.label === undefined ? {} : { labels: options.label }),
      }
      const { data } = await context
        .client()
        .createRelease({ application_id, body }, { signal: context.signal })
      context.output.result(data, (columns) => formatRelease(data, columns))
    },
  })
}
