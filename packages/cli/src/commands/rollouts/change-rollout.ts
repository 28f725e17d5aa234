import type { UpdateRolloutParams } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { requireChannelParams } from '../channels/select-channel.ts'
import { formatRollout } from './format-rollout.ts'

/** Changes the rollout of a version and prints it. */
export async function changeRollout(
  context: CommandContext,
  channel: string,
  body: UpdateRolloutParams['body'],
): Promise<void> {
  const params = await requireChannelParams(context, channel)
  const { data } = await context.client().updateRollout({ ...params, body }, { signal: context.signal })
  context.output.result(data, () => formatRollout(data))
}
