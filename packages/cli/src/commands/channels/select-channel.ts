import type { Channel } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'

export async function listChannels(
  { client, signal }: CommandContext,
  application_id: string,
): Promise<Channel[]> {
  return (await client().listChannels({ application_id }, { signal })).data
}

/** Returns the channel with this ID or name, ignoring case. Throws a failure that names the existing ones otherwise. */
export async function requireChannel(
  context: CommandContext,
  application_id: string,
  idOrName: string,
): Promise<Channel> {
  const channels = await listChannels(context, application_id)
  const found =
    channels.find(({ id }) => id === idOrName) ??
    channels.find(({ name }) => name.toLowerCase() === idOrName.toLowerCase())
  if (found !== undefined) return found
  const names = channels.map(({ name }) => name).join(', ')
  throw new Failure(
    'failed',
    `Channel "${idOrName}" was not found. ${names === '' ? 'There are no channels.' : `Channels: ${names}.`}`,
  )
}
