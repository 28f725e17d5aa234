import type { Train } from '../plan/application-plan.ts'
import { hoursAfter, type Seeding } from '../seeding.ts'
import { versionOf } from './build-file.ts'
import type { SeededApplication } from './seed-application.ts'
import type { SeededBuild } from './seed-builds.ts'

export type SeededRelease = {
  id: string
  title: string
  status: 'draft' | 'scheduled' | 'published' | 'withdrawn'
  builds: SeededBuild[]
  at: Date
  application: SeededApplication
}

/** Applications that withdraw a release once its hotfix has been published. */
const withdrawsReplaced: ReadonlySet<string> = new Set(['wayfern', 'saltmarsh'])

/** Groups the builds of the stream `stable` by version and publishes a release for each version. */
export async function seedReleases(
  seeding: Seeding,
  application: SeededApplication,
  builds: readonly SeededBuild[],
): Promise<SeededRelease[]> {
  const own = builds.filter((build) => build.application === application)
  const stable = Map.groupBy(
    own.filter(({ run }) => run.stream === 'stable'),
    ({ run }) => versionOf(run),
  )
  const releases: SeededRelease[] = []
  const hasHotfix = new Set(
    [...stable.keys()]
      .filter((version) => !version.endsWith('.0'))
      .map((version) => version.replace(/\d+$/, '0')),
  )
  for (const [version, members] of stable)
    releases.push(
      await publish(
        seeding,
        application,
        members,
        withdrawsReplaced.has(application.plan.slug) && hasHotfix.has(version),
      ),
    )
  const unpublished = await prepareNext(seeding, application, own)
  return unpublished === undefined ? releases : [...releases, unpublished]
}

async function publish(
  { client, journal }: Seeding,
  application: SeededApplication,
  builds: SeededBuild[],
  isReplaced: boolean,
): Promise<SeededRelease> {
  const { id, plan } = application
  const [first] = builds
  if (first === undefined) throw new Error('A release has no builds.')
  const { run } = first
  const title = run.version[2] === 0 ? run.train.title : `${run.train.title}: hotfix`
  const { data: release } = await client.createRelease({
    application_id: id,
    body: {
      ...versionFields(run.version),
      title,
      notes: notesOf(run.train, run.version[2]),
      draft: true,
      labels: run.labels,
      build_ids: builds.map((build) => build.id),
    },
  })
  const path = { application_id: id, release_id: release.id }
  const created = hoursAfter(run.at, 1.5)
  const published = hoursAfter(run.at, 4)
  await client.publishRelease(path)
  journal.record({ subject: release.id, action: 'release.created', at: created, by: plan.lead })
  journal.record({ subject: release.id, action: 'release.published', at: published, by: plan.lead })
  if (isReplaced) {
    await client.withdrawRelease(path)
    journal.record({
      subject: release.id,
      action: 'release.withdrawn',
      at: hoursAfter(run.at, 70),
      by: 'kwame',
    })
  }
  return {
    id: release.id,
    title,
    status: isReplaced ? 'withdrawn' : 'published',
    builds,
    at: published,
    application,
  }
}

/** Prepares a release of the version in development: scheduled for mobile and desktop applications, else a draft. */
async function prepareNext(
  { client, journal, now }: Seeding,
  application: SeededApplication,
  builds: readonly SeededBuild[],
): Promise<SeededRelease | undefined> {
  const { id, plan } = application
  const next = plan.trains.at(-1)
  const latest = builds.filter(({ run }) => run.train === next && run.stream === 'nightlies')
  const run = latest.at(-1)?.run
  if (next === undefined || run === undefined) return undefined
  const isScheduled = plan.lead === 'priya' || plan.lead === 'tomasz'
  const chosen = latest.filter((build) => build.run === run)
  const { data: release } = await client.createRelease({
    application_id: id,
    body: {
      ...versionFields([...next.version, 0]),
      title: next.title,
      notes: notesOf(next, 0),
      build_ids: chosen.map((build) => build.id),
      ...(isScheduled ? { scheduled_for: hoursAfter(now, 64).toISOString() } : { draft: true }),
    },
  })
  journal.record({
    subject: release.id,
    at: hoursAfter(run.at, 4) < now ? hoursAfter(run.at, 4) : now,
    by: plan.lead,
  })
  return {
    id: release.id,
    title: next.title,
    status: isScheduled ? 'scheduled' : 'draft',
    builds: chosen,
    at: now,
    application,
  }
}

const versionFields = ([major, minor, patch]: readonly [number, number, number]) => ({
  version_component_1_major: major,
  version_component_2_minor: minor,
  version_component_3_patch: patch,
})

function notesOf({ added, fixed }: Train, patch: number): string {
  const list = (items: string[]) => items.map((item) => `- ${item}`).join('\n')
  if (patch > 0) return `Fixes a problem of the previous release.\n\n## Fixed\n\n${list(fixed.slice(0, 1))}\n`
  return `## New\n\n${list(added)}\n\n## Fixed\n\n${list(fixed)}\n\nThank you to everyone who sent reports.\n`
}
