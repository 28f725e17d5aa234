import type { Platform } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { formatList } from '../../page-options.ts'
import { requireApplicationId } from '../../require-application-id.ts'

/** Replaces the platforms of the application with those that `change` returns, and prints the result. */
export async function changePlatforms(
  context: CommandContext,
  change: (identifiers: string[]) => string[],
): Promise<void> {
  const client = context.client()
  const call = { signal: context.signal }
  const application_id = await requireApplicationId(context)
  const { data: current } = await client.listPlatforms({ application_id }, call)
  const platforms = change(current.map(({ identifier }) => identifier))
  const { data } = await client.replacePlatforms({ application_id, body: { platforms } }, call)
  context.output.result(data, () => formatPlatforms(data))
}

/** Formats platforms as a table. */
export function formatPlatforms(platforms: Platform[]): string {
  return formatList(platforms, {
    noun: 'platforms',
    headings: ['PLATFORM', 'NAME'],
    row: ({ identifier, name }) => [identifier, name],
  })
}
