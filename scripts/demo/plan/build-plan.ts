import { createRandom, sha1Of, type Random } from '../random.ts'
import type { ApplicationPlan, PlatformPlan, Train } from './application-plan.ts'

export type Size = 'small' | 'full'
export type StreamName = 'default' | 'nightlies' | 'beta' | 'stable'

/** A run of the CI system, which uploads a build for each of its platforms. */
export type RunPlan = {
  at: Date
  number: number
  stream: StreamName
  version: readonly [major: number, minor: number, patch: number]
  extra?: string
  branch: string
  sha: string
  commits: string[]
  labels: string[]
  platforms: readonly PlatformPlan[]
  train: Train
}

const dayMs = 24 * 60 * 60 * 1000
const hourMs = dayMs / 24
const historyDays = { full: 178, small: 40 }
const betaDays = 84
const nightlyDays = 29

type Draft = Omit<RunPlan, 'number' | 'sha'>

/** Returns the CI runs of an application in the last six months, oldest first. Versions and build numbers only increase. */
export function planRuns(
  application: ApplicationPlan,
  { now, seed, size }: { now: Date; seed: string; size: Size },
): RunPlan[] {
  const { platforms, nightly } = application
  const plan =
    size === 'full'
      ? application
      : { ...application, platforms: platforms.slice(0, 2), nightly: { ...nightly, everyDays: 13 } }
  const random = createRandom(`${seed} runs of ${plan.slug}`)
  const trains = size === 'small' ? plan.trains.slice(-2) : plan.trains
  const released = trains.slice(0, -1)
  const ago = (days: number) => new Date(now.getTime() - days * dayMs)
  const days = historyDays[size]
  const interval = days / trains.length
  const shipped = released.map((_, index) => days - (index + 1) * interval + random.between(-1, 1))
  const drafts: Draft[] = []
  for (const [index, train] of trains.entries()) {
    const until = shipped[index] ?? 0
    const from = index === 0 ? until + interval : (shipped[index - 1] ?? 0)
    drafts.push(...featureRuns(plan, train, { from, until, random, size, ago }))
    if (index < released.length)
      drafts.push(...releaseRuns(plan, train, { shippedDaysAgo: until, index, random, size, ago }))
  }
  const next = trains.at(-1)
  if (next !== undefined) {
    drafts.push(...nightlyRuns(plan, next, now, random))
    if (size === 'full' || plan.nightly.platforms > 1) drafts.push(latestRun(plan, next, now))
  }
  const firstNumber = random.integer(820, 3900)
  return drafts
    .filter(({ at }) => at <= now)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map((draft, index) => ({
      ...draft,
      number: firstNumber + index * 3 + (index % 2),
      sha: sha1Of(`${plan.slug} ${draft.branch} ${index}`),
    }))
}

type Period = { from: number; until: number; random: Random; size: Size; ago: (days: number) => Date }

function* featureRuns(
  plan: ApplicationPlan,
  train: Train,
  { from, until, random, size, ago }: Period,
): Generator<Draft> {
  const count = size === 'small' ? 1 : 3
  for (let index = 0; index < count; index++) {
    const feature = random.pick(plan.features)
    const platform = random.pick(plan.platforms)
    const days = from - ((from - until) * (index + random.between(0.2, 0.8))) / count
    yield {
      at: workingHours(ago(days), random),
      stream: 'default',
      version: [...train.version, 0],
      extra: `dev.${index + 1}`,
      branch: feature.branch,
      commits: [random.pick(feature.commits)],
      labels: random.chance(0.2) ? [plan.labels.at(-1)?.name ?? ''] : [],
      platforms: [platform],
      train,
    }
  }
}

type Shipped = {
  shippedDaysAgo: number
  index: number
  random: Random
  size: Size
  ago: (days: number) => Date
}

function* releaseRuns(
  plan: ApplicationPlan,
  train: Train,
  { shippedDaysAgo, index, random, size, ago }: Shipped,
): Generator<Draft> {
  const branch = `release/${train.version.join('.')}`
  const common = { branch, commits: [...train.added, ...train.fixed], platforms: plan.platforms, train }
  for (const [candidate, days] of (size === 'small' ? [2] : [5, 2]).entries()) {
    if (shippedDaysAgo + days > betaDays) continue
    yield {
      ...common,
      at: workingHours(ago(shippedDaysAgo + days), random),
      stream: 'beta',
      version: [...train.version, 0],
      extra: `rc.${candidate + 1}`,
      commits: [train.fixed[candidate % train.fixed.length] ?? ''],
      labels: days === 2 ? ['qa-passed'] : [],
    }
  }
  const labels = ['release', 'qa-passed', ...plan.labels.slice(0, index % 2).map(({ name }) => name)]
  yield {
    ...common,
    at: workingHours(ago(shippedDaysAgo), random),
    stream: 'stable',
    version: [...train.version, 0],
    labels,
  }
  if (index % 3 !== 0) return
  yield {
    ...common,
    at: workingHours(ago(shippedDaysAgo - 4), random),
    stream: 'stable',
    version: [...train.version, 1],
    commits: train.fixed.slice(0, 1),
    labels: ['release', 'hotfix'],
  }
}

function* nightlyRuns(plan: ApplicationPlan, train: Train, now: Date, random: Random): Generator<Draft> {
  const midnight = new Date(now).setUTCHours(0, 0, 0, 0)
  for (let day = nightlyDays; day >= 0; day -= plan.nightly.everyDays) {
    const at = new Date(midnight - day * dayMs + 2 * hourMs + random.integer(600, 2400) * 1000)
    // The oldest build, which is about to expire, is always there.
    if (at.getUTCDay() === 0 && day !== nightlyDays) continue
    yield {
      at,
      stream: 'nightlies',
      version: [...train.version, 0],
      extra: `nightly.${at.toISOString().slice(0, 10).replaceAll('-', '')}`,
      branch: 'main',
      commits: [random.pick(random.pick(plan.features).commits)],
      labels: day % 9 === 4 ? [plan.labels[0]?.name ?? ''] : [],
      platforms: plan.platforms.slice(0, plan.nightly.platforms),
      train,
    }
  }
}

/** Returns a run that has just ended, so that the demo shows a build that is minutes old. */
function latestRun(plan: ApplicationPlan, train: Train, now: Date): Draft {
  const [feature] = plan.features
  const minutes = 3 + plan.trains.length * 4
  return {
    at: new Date(now.getTime() - minutes * 60_000),
    stream: 'default',
    version: [...train.version, 0],
    extra: 'dev.9',
    branch: feature?.branch ?? 'main',
    commits: feature?.commits.slice(-1) ?? [],
    labels: [],
    platforms: plan.platforms.slice(0, 1),
    train,
  }
}

/** Returns a time between 8:00 and 17:00 UTC on the same day. */
const workingHours = (day: Date, random: Random): Date =>
  new Date(new Date(day).setUTCHours(0, 0, 0, 0) + random.between(8, 17) * hourMs)
