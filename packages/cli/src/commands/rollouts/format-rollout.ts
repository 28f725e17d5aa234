import type { Rollout } from '@quayside/sdk'
import { formatFields, formatTime } from '../../output/format.ts'

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
    ['Stops when', formatRule(rollout)],
    ['Reports', formatReports(rollout)],
    ['Stopped', formatStop(rollout)],
  ])

const formatRule = ({ stop_when: rule }: Rollout): string | null =>
  rule && `${rule.failures_percent} % of at least ${rule.minimum_reports} reports are failures`

const formatReports = ({ reports: { installed, failed } }: Rollout): string | null =>
  installed + failed === 0 ? null : `${installed} installed, ${failed} failed`

const formatStop = ({ stopped_by_rule: stop }: Rollout): string | null =>
  stop &&
  `${formatTime(stop.stopped_at)} by its rule: ${stop.failures} of ${stop.reports} reports were failures`

export const formatState = ({ state }: Rollout): string => state.replace('_', ' ')
