import type { UpdateBuildParams } from '@quayside/sdk'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure, withNotFoundMessage } from '../../failure.ts'
import { readNotes, withNotesOptions } from '../../notes.ts'
import type { NotesOptions } from '../../notes.ts'
import { collectList } from '../../option-parsers.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { versionChanges, withVersionOptions } from '../../version/version-options.ts'
import type { VersionOptions } from '../../version/version-options.ts'
import { buildNotFound, formatBuild } from './format-build.ts'
import { requireBuildId } from './select-build.ts'

type Options = VersionOptions &
  NotesOptions & {
    buildNumber?: string
    stream?: string
    label?: string[]
    architecture?: string[]
    customTarget?: string
    keepForever?: boolean
  }

export function addBuildsEdit(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'edit <build>',
    summary: 'change the details of a build',
    description:
      'Change the details of a build, by ID or `latest`. Fields without an option are not changed.',
    result: 'updateBuild',
    example: 'quayside builds edit 7k2m9p4r3t --stream stable --notes-file notes.md --keep-forever',
    options: (command) =>
      withNotesOptions(withVersionOptions(command))
        .option('--build-number <text>', 'custom build number ("" removes it)')
        .option('--stream <name>', 'stream to move the build to')
        .option(
          '--label <name>',
          'label, replacing the existing labels (repeatable; "" removes all)',
          collectList,
        )
        .option(
          '--architecture <id>',
          'architecture, replacing the existing ones (repeatable; "" removes all)',
          collectList,
        )
        .option('--custom-target <target>', 'custom target ID or name ("" removes it)')
        .option('--keep-forever', 'exempt the build from retention')
        .option('--no-keep-forever', 'make the build subject to retention again'),
    async run(context, [selected = ''], options) {
      const body = buildChanges(options, await readNotes(context, options))
      if (Object.keys(body).length === 0)
        throw new Failure('usage', 'Nothing to change. Add at least one option, such as --notes.')
      const application_id = await requireApplicationId(context)
      const build_id = await requireBuildId(context, application_id, selected, {})
      const { data } = await withNotFoundMessage(
        context.client().updateBuild({ application_id, build_id, body }, { signal: context.signal }),
        buildNotFound(build_id),
      )
      context.output.result(data, () => formatBuild(data))
    },
  })
}

function buildChanges(options: Options, notes: string | undefined): UpdateBuildParams['body'] {
  return {
    ...versionChanges(options),
    ...(notes === undefined ? {} : { notes: notes || null }),
    ...(options.buildNumber === undefined ? {} : { custom_build_number: options.buildNumber || null }),
    ...(options.stream === undefined ? {} : { stream: options.stream }),
    ...(options.label === undefined ? {} : { labels: options.label }),
    ...(options.architecture === undefined ? {} : { architectures: options.architecture }),
    ...(options.customTarget === undefined ? {} : { custom_target: options.customTarget || null }),
    ...(options.keepForever === undefined ? {} : { keep_forever: options.keepForever }),
  }
}
