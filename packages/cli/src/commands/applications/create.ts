import { QuaysideError } from '@quayside/sdk'
import type { Application } from '@quayside/sdk'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { CommandContext, Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { collectList } from '../../option-parsers.ts'
import { findApplications } from '../../require-application-id.ts'
import { formatApplication } from './format-application.ts'

type Options = { description?: string; platform?: string[]; force?: boolean }

export function addApplicationsCreate(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'create <name>',
    summary: 'create an application',
    description: 'Create an application with the default streams of the workspace.',
    result: 'createApplication',
    example: 'quayside applications create "My App" --platform android --platform ios',
    options: (command) =>
      command
        .option('--description <text>', 'description of the application')
        .option('--platform <slug>', 'platform to support (repeatable; default: generic)', collectList)
        .option('-f, --force', 'create the application even if another one has the same name'),
    async run(context, [name = ''], { description, platform, force }) {
      if (force !== true) await requireUnusedName(context, name)
      const body = {
        name,
        ...(description === undefined ? {} : { description }),
        ...(platform === undefined ? {} : { platforms: platform }),
      }
      const { data } = await context.client().createApplication({ body }, { signal: context.signal })
      context.output.result(data, () => formatApplication(data))
    },
  })
}

/**
 * Throws if an application with this name exists. The server allows several, but then commands can select them only by
 * ID.
 */
async function requireUnusedName(context: CommandContext, name: string): Promise<void> {
  const existing = await listIfAllowed(context, name)
  const [first] = existing
  if (!first) return
  const ids = existing.map(({ id }) => id).join(', ')
  throw new Failure(
    'failed',
    `An application named "${first.name}" already exists (ID: ${ids}). Choose another name, or use --force to create it anyway.`,
  )
}

async function listIfAllowed(context: CommandContext, name: string): Promise<Application[]> {
  try {
    const found = await findApplications(context, name.trim())
    return found.filter((application) => application.name.toLowerCase() === name.trim().toLowerCase())
  } catch (error) {
    // A key may be allowed to create applications but not to list them.
    if (error instanceof QuaysideError && error.status === 403) return []
    throw error
  }
}
