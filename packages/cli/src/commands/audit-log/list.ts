import type { ListAuditLogParams } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand, addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { filterParams, timeOption, withFilterOptions } from '../../filter-options.ts'
import type { FilterOptions } from '../../filter-options.ts'
import { formatTime } from '../../output/format.ts'
import { printPage, withPageOptions } from '../../page-options.ts'
import type { PageOptions } from '../../page-options.ts'
import { requireApplicationId } from '../../require-application-id.ts'

type Options = PageOptions & { workspace?: boolean }

export function addAudit(program: Command, runtime: Runtime): void {
  const filters: FilterOptions<ListAuditLogParams> = {
    actor: new Option('--actor <actor>', 'only changes by this API key or user, by ID or name'),
    action: new Option('--action <action>', 'only this action, such as stream.updated'),
    subject_type: new Option(
      '--subject-type <type>',
      'only changes to this type of resource, such as stream',
    ),
    subject_id: new Option('--subject <id>', 'only changes to the resource with this ID'),
    created_after: timeOption('--created-after <time>', 'only entries at or after this time'),
    created_before: timeOption('--created-before <time>', 'only entries before this time'),
  }
  addCommand<Options>(addCommandGroup(program, 'audit', 'list the audit log'), runtime, {
    usage: 'list',
    summary: 'list audit log entries, most recent first',
    description:
      'List the audit log entries of the workspace or, with --application, of an application, most recent first.',
    result: 'listAuditLog',
    example: 'quayside audit list --action build.deleted --created-after 2026-11-01 --all',
    options: (command) =>
      withPageOptions(
        withFilterOptions(command, filters).option(
          '--workspace',
          'list the entries of the whole workspace, even if QUAYSIDE_APPLICATION is set',
        ),
        'entries',
      ),
    async run(context, _arguments, options) {
      const client = context.client()
      const isOfApplication = options.workspace !== true && context.settings.application !== undefined
      const params: ListAuditLogParams = {
        sort_by: 'created_at',
        sort: 'desc',
        ...(isOfApplication && { application: await requireApplicationId(context) }),
        ...filterParams(filters, options),
      }
      await printPage(context, options, {
        noun: 'entries',
        fetchPage: (page, per_page) =>
          client.listAuditLog({ ...params, page, per_page }, { signal: context.signal }),
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
