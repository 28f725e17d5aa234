import type { Rollout, UpdateRolloutParams } from '@quayside/sdk'
import { localInput } from '../../ui/format/local-input.ts'

export const systems = [
  { id: 'macos', name: 'macOS', example: '12.0' },
  { id: 'windows', name: 'Windows', example: '10.0.19041' },
  { id: 'linux', name: 'Linux', example: '5.15' },
  { id: 'android', name: 'Android', example: '10' },
  { id: 'ios', name: 'iOS', example: '16.0' },
] as const

type SystemId = (typeof systems)[number]['id']

export type RolloutValues = {
  version: string
  state: Rollout['state']
  percentage: number
  /** A local date and time, or an empty text. */
  complete_at: string
  /** Names separated by commas. */
  cohorts: string
  is_critical: boolean
  is_required: boolean
  minimum_os: Record<SystemId, string>
  has_stop_rule: boolean
  failures_percent: number
  minimum_reports: number
}

export function rolloutValuesOf(rollout: Rollout | undefined): RolloutValues {
  const minimum: Partial<Record<SystemId, string>> = rollout?.minimum_os ?? {}
  return {
    version: rollout?.version ?? '',
    state: rollout?.state ?? 'active',
    percentage: rollout?.percentage ?? 10,
    complete_at: rollout?.complete_at ? localInput(new Date(rollout.complete_at)) : '',
    cohorts: rollout?.cohorts.join(', ') ?? '',
    is_critical: rollout?.is_critical ?? false,
    is_required: rollout?.is_required ?? false,
    minimum_os: {
      macos: minimum.macos ?? '',
      windows: minimum.windows ?? '',
      linux: minimum.linux ?? '',
      android: minimum.android ?? '',
      ios: minimum.ios ?? '',
    },
    has_stop_rule: rollout !== undefined && rollout.stop_when !== null,
    failures_percent: rollout?.stop_when?.failures_percent ?? 5,
    minimum_reports: rollout?.stop_when?.minimum_reports ?? 50,
  }
}

/**
 * Returns the body of a request. The percentage and the end are included only if they were changed, because the
 * percentage of a growing rollout is already higher than the one that was shown.
 */
export function rolloutBodyOf(
  values: RolloutValues,
  rollout: Rollout | undefined,
): UpdateRolloutParams['body'] {
  const { state, percentage, complete_at: completeAt } = values
  const isActive = state === 'active'
  const shown = rolloutValuesOf(rollout)
  const end = percentage === 100 ? '' : completeAt
  return {
    version: values.version.trim(),
    state,
    ...(isActive && (rollout === undefined || percentage !== shown.percentage) ? { percentage } : {}),
    ...(isActive && end !== shown.complete_at
      ? { complete_at: end === '' ? null : new Date(end).toISOString() }
      : {}),
    cohorts: [...new Set(values.cohorts.split(',').map((cohort) => cohort.trim()))].filter(
      (cohort) => cohort !== '',
    ),
    is_critical: values.is_critical,
    is_required: values.is_required,
    minimum_os: Object.fromEntries(
      Object.entries(values.minimum_os)
        .map(([system, version]) => [system, version.trim()] as const)
        .filter(([, version]) => version !== ''),
    ),
    stop_when: values.has_stop_rule
      ? { failures_percent: values.failures_percent, minimum_reports: values.minimum_reports }
      : null,
  }
}
