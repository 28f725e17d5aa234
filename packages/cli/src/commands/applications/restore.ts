import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { CommandContext, Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { severalFound } from '../../not-found.ts'
import { findApplications } from '../../require-application-id.ts'
import { formatApplication } from './format-application.ts'

export function addApplicationsRestore(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'restore <application>',
    summary: 'restore an application from the trash',
    description:
      'Restore an application from the trash by ID or name. `quayside applications list --trashed` lists them.',
    result: 'restoreApplication',
    example: 'quayside applications restore "My App"',
    async run(context, [selected = '']) {
      const application_id = await requireTrashedId(context, selected)
      const { data } = await context
        .client()
        .restoreApplication({ application_id }, { signal: context.signal })
      context.output.result(data, () => formatApplication(data))
    },
  })
}

async function requireTrashedId(context: CommandContext, selected: string): Promise<string> {
  const matches = await findApplications(context, selected, { trashed: true })
  const [match, ...others] = matches
  if (!match)
    throw new Failure(
      'failed',
      `No application "${selected}" is in the trash. Run \`quayside applications list --trashed\` to see those that are.`,
    )
  if (others.length === 0) return match.id
  throw severalFound(
    `applications in the trash are named "${selected}"`,
    matches.map(({ id }) => id),
  )
}
