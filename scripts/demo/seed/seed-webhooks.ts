import { setTimeout as pause } from 'node:timers/promises'
import type { ApplicationPlan } from '../plan/application-plan.ts'
import { daysBefore, type Seeding } from '../seeding.ts'
import type { SeededApplication } from './seed-application.ts'

type WebhookPlan = {
  slug: ApplicationPlan['slug']
  path: string
  description: string
  event:
    | 'build.created'
    | 'build.created.stream'
    | 'build.processed'
    | 'build.label.added'
    | 'release.created'
    | 'release.withdrawn'
  format?: 'json' | 'slack' | 'discord'
  stream?: string
  daysAgo: number
  isInactive?: boolean
  /** Left out of the small workspace, because the outcome takes several seconds. */
  isSlow?: boolean
}

const webhooks: readonly WebhookPlan[] = [
  {
    slug: 'wayfern',
    path: '/ok/chat/releases',
    description: 'Announces releases in #wayfern',
    event: 'release.created',
    format: 'slack',
    daysAgo: 150,
  },
  {
    slug: 'wayfern',
    path: '/ok/device-lab/runs',
    description: 'Starts the device lab',
    event: 'build.created.stream',
    stream: 'nightlies',
    daysAgo: 120,
  },
  {
    slug: 'wayfern',
    path: '/error/symbols/import',
    description: 'Imports symbols for crash reports',
    event: 'build.processed',
    daysAgo: 97,
  },
  {
    slug: 'wayfern',
    path: '/slow/intranet/wall',
    description: 'Wall display in the old office',
    event: 'build.created.stream',
    stream: 'stable',
    daysAgo: 160,
    isSlow: true,
  },
  {
    slug: 'marginalia',
    path: '/flaky/print-lab/jobs',
    description: 'Prints sample pages',
    event: 'build.created',
    daysAgo: 61,
    isSlow: true,
  },
  {
    slug: 'marginalia',
    path: '/ok/changelog/publish',
    description: 'Updates the website',
    event: 'release.created',
    daysAgo: 110,
  },
  {
    slug: 'lantern-deep',
    path: '/ok/playtest/queue',
    description: 'Queues playtests of labeled builds',
    event: 'build.label.added',
    format: 'discord',
    daysAgo: 83,
  },
  {
    slug: 'saltmarsh',
    path: '/ok/bench/flash',
    description: 'Flashes the bench',
    event: 'build.created.stream',
    stream: 'nightlies',
    daysAgo: 45,
  },
  {
    slug: 'plover',
    path: '/ok/mirror/sync',
    description: 'Old package mirror',
    event: 'build.created',
    daysAgo: 172,
    isInactive: true,
  },
]

export type SeededWebhook = { id: string; applicationId: string }

/** Creates webhooks that send requests to the receiver. Later uploads and releases trigger them. */
export async function seedWebhooks(
  { client, journal, now, size }: Seeding,
  applications: readonly SeededApplication[],
  receiverUrl: string,
): Promise<SeededWebhook[]> {
  const created: SeededWebhook[] = []
  for (const { slug, path, daysAgo, isInactive, isSlow, ...fields } of webhooks) {
    if (size === 'small' && isSlow === true) continue
    const application = applications.find(({ plan }) => plan.slug === slug)
    if (application === undefined) continue
    const secret = `whsec_${Buffer.from(`${slug} ${path} secret`).toString('base64')}`
    const { data } = await client.createWebhook({
      application_id: application.id,
      body: { url: `${receiverUrl}${path}`, ...fields, secret, is_active: isInactive !== true },
    })
    journal.record({ subject: data.id, at: daysBefore(now, daysAgo), by: application.plan.lead })
    created.push({ id: data.id, applicationId: application.id })
  }
  return created
}

const timeoutMs = 60_000

/** Waits until every request of the webhooks has had its first attempt, and its second one where that follows within seconds. */
export async function waitForDeliveries(
  { client }: Seeding,
  created: readonly SeededWebhook[],
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (const { id, applicationId } of created) {
    for (;;) {
      const { data } = await client.listWebhookRequests({
        application_id: applicationId,
        webhook_id: id,
        per_page: 100,
      })
      const pending = data.filter(
        ({ state, duration, response_code }) =>
          state === 'waiting' && (duration === null || response_code === 503),
      )
      if (pending.length === 0) break
      if (performance.now() > deadline)
        throw new Error(`${pending.length} webhook requests have not been sent.`)
      await pause(100)
    }
  }
}
