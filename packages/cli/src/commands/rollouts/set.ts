import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { collectList, integerBetween, parseFutureTime } from '../../option-parsers.ts'
import { changeRollout } from './change-rollout.ts'

const defaultReports = 50

type Options = {
  percentage?: number
  complete?: string
  cohort?: string[]
  critical?: boolean
  required?: boolean
  minimumOs?: Record<string, string>
  stopFailures?: number | 'none'
  stopReports?: number
}

export function addRolloutSet(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'set <channel> <version>',
    summary: 'set to whom a version is offered',
    description:
      'Set to whom a version is offered. Set the percentage before you publish the version, because a version without a rollout is offered to everyone.',
    result: 'updateRollout',
    example: 'quayside rollout set Stable 2.1.0 --percentage 5 --cohort testers',
    options: (command) =>
      command
        .option('--percentage <percentage>', 'percentage of clients, from 0 to 100', parsePercentage)
        .option(
          '--complete <time>',
          'time until which the percentage grows to 100, a duration such as 7d, or "none"',
          (value) => (value === 'none' ? value : parseFutureTime(value)),
        )
        .option(
          '--cohort <name>',
          'cohort that is offered the version regardless of the percentage (repeatable)',
          collectList,
        )
        .option('--critical', 'clients must not postpone or skip the version')
        .option('--no-critical', 'clients can postpone or skip the version (default)')
        .option('--required', 'older clients must install this version before a newer one')
        .option('--no-required', 'clients can skip this version (default)')
        .option(
          '--minimum-os <system=version>',
          'oldest operating system, such as macos=12.0 (repeatable)',
          collectSystem,
        )
        .option(
          '--stop-failures <percentage>',
          'stop the rollout when this percentage of reports are failures, or "none"',
          (value) => (value === 'none' ? value : parsePercentage(value)),
        )
        .option(
          '--stop-reports <number>',
          `number of reports before which --stop-failures does not stop the rollout (default: ${defaultReports})`,
          integerBetween(1, 1_000_000),
        ),
    async run(context, [channel = '', version = ''], options) {
      const { percentage, complete, cohort, critical, required, minimumOs, stopFailures, stopReports } =
        options
      if (stopReports !== undefined && typeof stopFailures !== 'number')
        throw new Failure('usage', '--stop-reports applies only with --stop-failures. Add a percentage.')
      const changes = {
        ...(percentage === undefined ? {} : { percentage }),
        ...(complete === undefined ? {} : { complete_at: complete === 'none' ? null : complete }),
        ...(cohort === undefined ? {} : { cohorts: cohort }),
        ...(critical === undefined ? {} : { is_critical: critical }),
        ...(required === undefined ? {} : { is_required: required }),
        ...(minimumOs === undefined ? {} : { minimum_os: minimumOs }),
        ...(stopFailures === undefined ? {} : { stop_when: ruleOf(stopFailures, stopReports) }),
      }
      if (Object.keys(changes).length === 0)
        throw new Failure('usage', 'Nothing to change. Add --percentage, --cohort or --stop-failures.')
      await changeRollout(context, channel, { version, ...changes })
    },
  })
}

const ruleOf = (failures_percent: number | 'none', minimum_reports = defaultReports) =>
  failures_percent === 'none' ? null : { failures_percent, minimum_reports }

function parsePercentage(value: string): number {
  const number = Number(value.replace(/\s*%$/, ''))
  if (value.trim() === '' || !(number >= 0 && number <= 100))
    throw new InvalidArgumentError('Use a number between 0 and 100.')
  return number
}

function collectSystem(value: string, previous: Record<string, string> = {}): Record<string, string> {
  const [, system, version] = /^(macos|windows|linux|android|ios)=(\d[\d.]*)$/.exec(value) ?? []
  if (system === undefined || version === undefined)
    throw new InvalidArgumentError(
      'Use macos, windows, linux, android or ios with a version, such as macos=12.0.',
    )
  return { ...previous, [system]: version }
}
