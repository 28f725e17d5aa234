import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { readNotes, withNotesOptions } from '../../notes.ts'
import type { NotesOptions } from '../../notes.ts'
import { collectList } from '../../option-parsers.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { versionChanges, withVersionOptions } from '../../version/version-options.ts'
import type { VersionOptions } from '../../version/version-options.ts'
import { formatRelease } from './format-release.ts'
import { requireReleaseId } from './select-release.ts'

type Options = VersionOptions & NotesOptions & { title?: string; label?: string[] }

export function addReleasesEdit(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'edit <release>',
    summary: 'change the details of a release',
    description: 'Change the details of a release. Fields without an option are not changed.',
    result: 'updateRelease',
    example: 'quayside releases edit 1.2.3 --title "Summer update" --notes-file notes.md',
    options: (command) =>
      withNotesOptions(withVersionOptions(command.option('--title <title>', 'title shown to users'))).option(
        '--label <name>',
        'label, replacing the existing labels (repeatable; "" removes all)',
        collectList,
      ),
    async run(context, [selected = ''], options) {
      const notes = await readNotes(context, options)
      const body = {
        ...versionChanges(options),
        ...(options.title === undefined ? {} : { title: options.title }),
        ...(notes === undefined ? {} : { notes: notes || null }),
        ...(options.label === undefined ? {} : { labels: options.label }),
      }
      if (Object.keys(body).length === 0)
        throw new Failure('usage', 'Nothing to change. Add at least one option, such as --title.')
      const application_id = await requireApplicationId(context)
      const release_id = await requireReleaseId(context, application_id, selected)
      const { data } = await context
        .client()
        .updateRelease({ application_id, release_id, body }, { signal: context.signal })
      context.output.result(data, (columns) => formatRelease(data, columns))
    },
  })
}
