import type { Channel } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { describeMissing } from '../../not-found.ts'
import { requireApplicationId } from '../../require-application-id.ts'

/** Lists the channels of the selected application. */
export async function listChannels(context: CommandContext): Promise<Channel[]> {
  const application_id = await requireApplicationId(context)
  return (await context.client().listChannels({ application_id }, { signal: context.signal })).data
}

/**
 * Returns the channel of the selected application with this ID or name, ignoring case. Throws a failure that names the
 * existing ones otherwise.
 */
export async function requireChannel(context: CommandContext, idOrName: string): Promise<Channel> {
  const channels = await listChannels(context)
  const found =
    channels.find(({ id }) => id === idOrName) ??
    channels.find(({ name }) => name.toLowerCase() === idOrName.toLowerCase())
  if (found !== undefined) return found
  const missing = {
    what: `Channel "${idOrName}"`,
    plural: 'Channels',
    command: 'quayside channels list',
    listNames: async () => channels.map(({ name }) => name),
  }
  throw new Failure('failed', await describeMissing(missing))
}

/** Returns the IDs in the paths of endpoints of the channel that `requireChannel` returns. */
export async function requireChannelParams(context: CommandContext, idOrName: string) {
  const { application_id, id: channel_id } = await requireChannel(context, idOrName)
  return { application_id, channel_id }
}
