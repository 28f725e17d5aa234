import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@quayside/sdk'
import { countChecks } from './adoption.db.ts'
import { moveHistory } from './history.db.ts'
import { addNotificationRules, fillInbox } from './inbox.db.ts'
import { createJournal } from './journal.ts'
import type { ApplicationPlan } from './plan/application-plan.ts'
import { planRuns, type Size } from './plan/build-plan.ts'
import { marginalia, wayfern } from './plan/mobile-and-desktop.ts'
import { lanternDeep, plover, saltmarsh } from './plan/other-applications.ts'
import { createRandom } from './random.ts'
import { createFileMaker } from './seed/build-file.ts'
import { seedApplication, seedWorkspaceKeys, type SeededApplication } from './seed/seed-application.ts'
import { editBuilds, seedBuilds, seedDamagedBuild } from './seed/seed-builds.ts'
import { seedChannels } from './seed/seed-channels.ts'
import { seedDistributionGroups, seedPortals } from './seed/seed-distribution.ts'
import { seedReleases, type SeededRelease } from './seed/seed-releases.ts'
import { seedShareLinks } from './seed/seed-share-links.ts'
import { seedTeams } from './seed/seed-teams.ts'
import { seedDevices, seedFeedback } from './seed/seed-testers.ts'
import { seedWebhooks, waitForDeliveries } from './seed/seed-webhooks.ts'
import { seedWebsiteLinks } from './seed/seed-website-links.ts'
import { seedWorkspace } from './seed/seed-workspace.ts'
import { makeVisits } from './seed/visits.ts'
import { daysBefore, type Log, type Seeding } from './seeding.ts'

type Options = {
  /** The URL of a service that has `demoSettings` and an empty workspace. */
  url: string
  /** A key with every workspace scope. */
  key: string
  databaseUrl: string
  /** The URL of the receiver of webhook requests. Without it, no webhooks are created. */
  receiverUrl?: string
  size?: Size
  /** The same seed and time create the same workspace. */
  seed?: number
  now?: Date
  log?: Log
}

const plans: readonly ApplicationPlan[] = [wayfern, marginalia, lanternDeep, saltmarsh, plover]

/** Webhook requests are deleted after 30 days, so only later builds trigger them. */
const webhookDays = 28

/**
 * Fills the workspace of a running service with half a year of work: everything is created through the API and then moved
 * into the past. The size `small` has a few weeks of work, but the same states.
 */
export async function seedDemo({ url, key, databaseUrl, receiverUrl, ...options }: Options): Promise<void> {
  const { size = 'full', now = new Date(), log = () => {} } = options
  const seed = String(options.seed ?? 1)
  const client = createClient({ baseUrl: url, apiKey: key })
  const journal = createJournal()
  const seeding: Seeding = { client, url, size, now, seed, random: createRandom(seed), journal, log }

  const users = await seedWorkspace(seeding)
  await addNotificationRules(databaseUrl)
  const applications: SeededApplication[] = []
  for (const [index, plan] of plans.entries())
    applications.push(await seedApplication(seeding, plan, users, index))
  await seedTeams(seeding, users, applications)
  await seedWorkspaceKeys(seeding)
  log(`${applications.length} applications with keys, labels and custom targets`)

  const fileOf = createFileMaker(seeding)
  const runs = applications.flatMap((application) =>
    planRuns(application.plan, { now, seed, size }).map((run) => ({ application, run })),
  )
  const recent = daysBefore(now, webhookDays)
  const older = await seedBuilds(
    seeding,
    runs.filter(({ run }) => run.at < recent),
    fileOf,
  )
  const webhooks = receiverUrl === undefined ? [] : await seedWebhooks(seeding, applications, receiverUrl)
  const later = await seedBuilds(
    seeding,
    runs.filter(({ run }) => run.at >= recent),
    fileOf,
  )
  const builds = [...older, ...later]
  const last = builds.findLast(({ application }) => application.plan.slug === 'wayfern')
  if (last !== undefined) await seedDamagedBuild(seeding, last.application, last.run, fileOf)
  log(`${builds.length + 1} builds`)

  const releases: SeededRelease[] = []
  for (const application of applications) releases.push(...(await seedReleases(seeding, application, builds)))
  await editBuilds(seeding, builds)
  const visitsOfGroups = await seedDistributionGroups(seeding, releases)
  await seedPortals(seeding, releases)
  await seedChannels(seeding, releases)
  await seedDevices(seeding)
  await seedFeedback(seeding, releases)
  log(`${releases.length} releases, distribution groups, portals, channels, devices and feedback`)
  const { visits, closeLinks } = await seedShareLinks(seeding, releases, builds)
  const visitsOfWebsites = size === 'full' ? await seedWebsiteLinks(seeding, releases) : []
  await makeVisits(seeding, [...visits, ...visitsOfGroups, ...visitsOfWebsites])
  await closeLinks()
  log(`${journal.downloads.length} downloads`)

  await waitForProcessing(seeding, applications)
  await waitForDeliveries(seeding, webhooks)
  const ciKeyIds = applications.map(({ ciKeyId }) => ciKeyId)
  await moveHistory({ databaseUrl, journal, users, ciKeyIds, now })
  await fillInbox(databaseUrl, now)
  await countChecks(databaseUrl, now)
  log('Moved the history to the last six months')
}

/** Waits until the packages have been inspected, because inspection changes builds. */
async function waitForProcessing(
  { client }: Seeding,
  applications: readonly SeededApplication[],
): Promise<void> {
  const deadline = performance.now() + 600_000
  for (const { id } of applications) {
    for (let page = 1, isLast = false; !isLast;) {
      const { data, pagination } = await client.listBuilds({ application_id: id, per_page: 100, page })
      const isPending = data.some(({ pending_processing }) => pending_processing)
      if (isPending && performance.now() > deadline) throw new Error('Builds are still being processed.')
      if (isPending) await pause(100)
      else isLast = page++ >= pagination.last_page
    }
  }
}
