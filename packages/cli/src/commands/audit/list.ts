import type { ListAuditLogParams } from '@quayside/sdk'
import type { Command } from 'commander'
import { addCommand, addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { parseTimestamp } from '../../option-parsers.ts'
import { formatTime } from '../../output/format.ts'
import { printPage, withPageOptions } from '../../page-options.ts'
import type { PageOptions } from '../../page-options.ts'
import { requireApplicationId } from '../../require-application-id.ts'

type Options = PageOptions & {
  actor?: string
  action?: string
  subjectType?: string
  subject?: string
  createdAfter?: string
  createdBefore?: string
  workspace?: boolean
}

export function addAudit(program: Command, runtime: Runtime): void {
  addCommand<Options>(addCommandGroup(program, 'audit', 'list the audit log'), runtime, {
    usage: 'list',
    summary: 'list audit log entries, most recent first',
    description:
      'List the audit log entries of the workspace or, with --application, of an application, most recent first.',
    example: 'quayside audit list --action build.deleted --created-after 2026-11-01 --all',
    options: (command) =>
      withPageOptions(
        command
          .option('--actor <actor>', 'only changes by this API key or user, by ID or name')
          .option('--action <action>', 'only this action, such as stream.updated')
          .option('--subject-type <type>', 'only changes to this type of resource, such as stream')
          .option('--subject <id>', 'only changes to the resource with this ID')
          .option('--created-after <time>', 'only entries at or after this time', parseTimestamp)
          .option('--created-before <time>', 'only entries before this time', parseTimestamp)
          .option('--workspace', 'list the whole workspace, even if QUAYSIDE_APPLICATION is set'),
        'entries',
      ),
    async run(context, _arguments, options) {
      const client = context.client()
      const isOfApplication = options.workspace !== true && context.settings.application !== undefined
      const filter: ListAuditLogParams = { sort_by: 'created_at', sort: 'desc' }
      if (isOfApplication) filter.application = await requireApplicationId(context)
      if (options.actor !== undefined) filter.actor = options.actor
      if (options.action !== undefined) filter.action = options.action
      if (options.subjectType !== undefined) filter.subject_type = options.subjectType
      if (options.subject !== undefined) filter.subject_id = options.subject
      if (options.createdAfter !== undefined) filter.created_after = options.createdAfter
      if (options.createdBefore !== undefined) filter.created_before = options.createdBefore
      await printPage(context, options, {
        noun: 'entries',
        fetchPage: (page, per_page) =>
          client.listAuditLog({ ...filter, page, per_page }, { signal: context.signal }),
        headings: ['TIME', 'ACTION', 'SUBJECT', 'ACTOR', 'ADDRESS'],
        row: ({ created_at, action, subject, actor, address }) => [
          formatTime(created_at),
          action,
          `${subject.type} ${subject.id}`,
          actor.name,
          address,
        ],
      })
    },
  })
}
