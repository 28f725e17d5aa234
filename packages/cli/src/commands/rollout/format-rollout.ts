import type { Rollout } from '@quayside/sdk'
import { formatFields } from '../../output/format.ts'

/** Formats a rollout as a list of fields. */
export const formatRollout = (rollout: Rollout): string =>
  formatFields([
    ['Version', rollout.version],
    ['Published', rollout.is_published ? 'yes' : 'no'],
    ['State', formatState(rollout)],
    ['Percentage', `${rollout.percentage} %`],
    ['Complete', rollout.complete_at],
    ['Cohorts', rollout.cohorts.join(', ')],
    ['Critical', rollout.is_critical ? 'yes' : 'no'],
    ['Required', rollout.is_required ? 'yes' : 'no'],
    [
      'Minimum OS',
      Object.entries(rollout.minimum_os)
        .map(([system, version]) => `${system} ${version}`)
        .join(', '),
    ],
  ])

export const formatState = ({ state }: Rollout): string => state.replace('_', ' ')
