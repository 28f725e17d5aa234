import type { ChannelFormat } from '@quayside/sdk'
import { daysBefore, hoursAfter, type Seeding } from '../seeding.ts'
import { versionOf } from './build-file.ts'
import type { SeededRelease } from './seed-releases.ts'

type ChannelPlan = {
  slug: string
  name: string
  formats: ChannelFormat[]
  /** The names of customers with a read key. Without them, the channel is public. */
  customers?: readonly string[]
}

const channels: readonly ChannelPlan[] = [
  { slug: 'marginalia', name: 'Stable', formats: ['winsparkle', 'json'] },
  { slug: 'plover', name: 'Stations', formats: ['json'], customers: ['Harbor office', 'North quay'] },
]

/** Creates channels of the releases, with read keys and a rollout of the newest version. */
export async function seedChannels(seeding: Seeding, releases: readonly SeededRelease[]): Promise<void> {
  const { client, journal, now } = seeding
  for (const { slug, name, formats, customers = [] } of channels) {
    const newest = releases.findLast(
      ({ application, status }) => application.plan.slug === slug && status === 'published',
    )
    const run = newest?.builds[0]?.run
    if (newest === undefined || run === undefined) continue
    const { id: application_id, plan } = newest.application
    const access = customers.length === 0 ? 'public' : 'read_keys'
    const { data: channel } = await client.createChannel({
      application_id,
      body: { name, formats, access },
    })
    const created = daysBefore(now, 60)
    journal.record({ subject: channel.id, at: created, by: plan.lead })
    const path = { application_id, channel_id: channel.id }
    for (const customer of customers) {
      const { data: key } = await client.createReadKey({ ...path, body: { name: customer } })
      journal.record({ subject: key.id, at: hoursAfter(created, 1), by: plan.lead })
    }
    await client.updateRollout({ ...path, body: { version: versionOf(run), percentage: 25 } })
    journal.record({
      subject: channel.id,
      action: 'rollout.changed',
      at: hoursAfter(newest.at, 1),
      by: plan.lead,
    })
  }
}
