import { Type, type Static } from 'typebox'
import { name, Nullable, Timestamp } from '../../../http/endpoint/fields.ts'
import { futureTime } from '../../../http/endpoint/future-time.ts'
import { isoMicroseconds } from '../../../lib/time.ts'
import type { PlatformReports } from './rollout-report.db.ts'
import { percentageAt, rolloutStates, type RolloutRules } from './rollout-rules.ts'
import { sumReports } from './stop-rule.ts'

export const operatingSystems = ['macos', 'windows', 'linux', 'android', 'ios'] as const

const minimumOs = Type.Object(
  Object.fromEntries(
    operatingSystems.map((system) => [
      system,
      Type.Optional(
        Type.String({
          maxLength: 40,
          pattern: '^[0-9]{1,6}(\\.[0-9]{1,6}){0,3}$',
          patternMessage: 'must be a version such as 14.2.',
        }),
      ),
    ]),
  ),
  {
    description: 'Oldest version of each operating system on which the version runs.',
    examples: [{ macos: '12.0', windows: '10.0.19041' }],
  },
)

const state = Type.Enum([...rolloutStates], {
  description:
    '`active`: the percentage can grow. `paused`: it stays as it is. `stopped`: nobody is offered the version. `rolled_back`: as `stopped`, and formats in which the service decides also offer the previous version to clients that have this one.',
})

export const StopWhen = Type.Object(
  {
    failures_percent: Type.Number({
      exclusiveMinimum: 0,
      maximum: 100,
      description: 'Percentage of failures among the reports.',
    }),
    minimum_reports: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Number of reports before which the rollout is not stopped.',
    }),
  },
  {
    description:
      'Stops the rollout once so many reports were received since it began and this percentage of them are failures.',
    examples: [{ failures_percent: 5, minimum_reports: 50 }],
  },
)

const reported = Type.Integer({ minimum: 0 })
const counts = { installed: reported, failed: reported }

const Reports = Type.Object(
  {
    ...counts,
    by_platform: Type.Array(
      Type.Object({
        platform: Nullable(
          Type.Enum([...operatingSystems], { description: '`null` if the reports do not name it.' }),
        ),
        ...counts,
      }),
    ),
  },
  { description: 'What clients reported about the version since its rollout began.' },
)

export const Rollout = Type.Object(
  {
    version: Type.String(),
    is_published: Type.Boolean({ description: 'Whether the channel has a build with this version now.' }),
    state,
    percentage: Type.Number({ description: 'Percentage of clients that are offered the version now.' }),
    complete_at: Nullable(
      Type.String({
        ...Timestamp,
        description:
          'Time until which the percentage grows evenly to 100; `null` if it does not grow by itself.',
      }),
    ),
    cohorts: Type.Array(Type.String(), {
      description: 'Cohorts of testers who are offered the version regardless of the percentage.',
    }),
    is_critical: Type.Boolean({ description: 'Whether clients must not postpone or skip the version.' }),
    is_required: Type.Boolean({
      description: 'Whether clients with an older version must install this version before a newer one.',
    }),
    minimum_os: minimumOs,
    stop_when: Nullable(StopWhen),
    stopped_by_rule: Nullable(
      Type.Object(
        { stopped_at: Timestamp, reports: reported, failures: reported },
        { description: 'The reports that stopped the rollout; `null` if `stop_when` did not stop it.' },
      ),
    ),
    reports: Reports,
  },
  { title: 'Rollout' },
)

declare module '../../../events/catalogue.ts' {
  interface EventResources {
    rollout: Static<typeof Rollout>
  }
}

export const RolloutChanges = Type.Object({
  version: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^v?\\d{1,4}\\.\\d{1,4}\\.\\d{1,4}(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?$',
    patternMessage: 'must be a version such as 2.1.0 or 2.1.0-beta.1.',
    description: 'Version, such as `2.1.0`. It need not be published yet.',
    examples: ['2.1.0'],
  }),
  state: Type.Optional(state),
  percentage: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description:
        'Percentage of clients that are offered the version. A larger percentage adds clients and removes none.',
    }),
  ),
  complete_at: Type.Optional(
    Nullable(
      futureTime(
        'Time until which the percentage grows evenly to 100: an ISO 8601 timestamp within the next 100 years.',
      ),
    ),
  ),
  cohorts: Type.Optional(
    Type.Array(name(50, 'Name of a cohort, such as `testers`.'), { maxItems: 20, uniqueItems: true }),
  ),
  is_critical: Type.Optional(Type.Boolean()),
  is_required: Type.Optional(Type.Boolean()),
  minimum_os: Type.Optional(minimumOs),
  stop_when: Type.Optional(Nullable(StopWhen)),
})

export function rolloutResource(
  version: string,
  rules: RolloutRules,
  {
    isPublished,
    nowMs,
    reports = [],
  }: { isPublished: boolean; nowMs: number; reports: readonly PlatformReports[] | undefined },
): Static<typeof Rollout> {
  return {
    is_published: isPublished,
    ...settingsOf(version, rules, nowMs),
    reports: {
      ...sumReports(reports),
      by_platform: reports.map(({ platform, installed, failed }) => ({
        platform: operatingSystems.find((each) => each === platform) ?? null,
        installed,
        failed,
      })),
    },
  }
}

/** Returns the fields of a rollout that the audit log records. */
export const rolloutAuditSnapshot = (version: string, rules: RolloutRules, now: Date) =>
  settingsOf(version, rules, now.getTime())

function settingsOf(version: string, rules: RolloutRules, nowMs: number) {
  const { completeAtMs, stopWhen, stoppedByRule } = rules
  return {
    version,
    state: rules.state,
    percentage: Math.round(percentageAt(rules, nowMs) * 100) / 100,
    complete_at:
      completeAtMs === null || completeAtMs <= nowMs ? null : isoMicroseconds(new Date(completeAtMs)),
    cohorts: [...rules.cohorts],
    is_critical: rules.isCritical,
    is_required: rules.isRequired,
    minimum_os: { ...rules.minimumOs },
    stop_when: stopWhen && {
      failures_percent: stopWhen.failuresPercent,
      minimum_reports: stopWhen.minimumReports,
    },
    stopped_by_rule: stoppedByRule && {
      stopped_at: isoMicroseconds(new Date(stoppedByRule.atMs)),
      reports: stoppedByRule.reports,
      failures: stoppedByRule.failures,
    },
  }
}
