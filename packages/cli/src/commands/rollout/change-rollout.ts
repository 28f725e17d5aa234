import type { UpdateRolloutParams } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { requireChannel } from '../channels/select-channel.ts'
import { formatRollout } from './format-rollout.ts'

/** Changes the rollout of a version and prints it. */
export async function changeRollout(
  context: CommandContext,
  channel: string,
  body: UpdateRolloutParams['body'],
): Promise<void> {
  const application_id = await requireApplicationId(context)
  const { id: channel_id } = await requireChannel(context, application_id, channel)
  const { data } = await context
    .client()
    .updateRollout({ application_id, channel_id, body }, { signal: context.signal })
  context.output.result(data, () => formatRollout(data))
}
