import { testers } from '../plan/people.ts'
import { daysBefore, hoursAfter, type Seeding } from '../seeding.ts'
import type { SeededRelease } from './seed-releases.ts'
import { pngIcon } from './seed-workspace.ts'
import { readLink, type Visit } from './visits.ts'

const groups = [
  {
    name: 'Field testers',
    description: 'Hikers who take new maps outside.',
    emails: testers.fieldTesters,
    slug: 'wayfern',
    type: 'external',
    icon: 'hiking',
  },
  {
    name: 'Publishers',
    description: 'Publishing houses with a support contract.',
    emails: testers.publishers,
    slug: 'marginalia',
    type: 'external',
    icon: 'book',
  },
  {
    name: 'Playtest pool',
    description: 'Colleagues who play on Friday afternoons.',
    emails: testers.playtesters,
    slug: 'lantern-deep',
    type: 'internal',
    icon: 'gamepad',
  },
] as const

/** Creates distribution groups and adds releases to them. Returns downloads through the personal links of testers. */
export async function seedDistributionGroups(
  seeding: Seeding,
  releases: readonly SeededRelease[],
): Promise<Visit[]> {
  const { client, journal, now, size } = seeding
  const visits: Visit[] = []
  for (const [index, { name, description, emails, slug, type, icon }] of groups.entries()) {
    const { data: group } = await client.createDistributionGroup({
      body: { name, description, type, icon_type: 'fa', icon_set_value: icon },
    })
    const created = daysBefore(now, 150 - index * 12)
    journal.record({ subject: group.id, at: created, by: 'kwame' })
    await client.createDistributionGroupMembers({
      distribution_group_id: group.id,
      body: { emails: [...emails] },
    })
    const own = releases.filter(
      ({ application, status }) => application.plan.slug === slug && status === 'published',
    )
    for (const release of own.slice(size === 'full' ? -4 : -1)) {
      await client.addDistributionGroupRelease({
        distribution_group_id: group.id,
        body: { release_id: release.id, notify: true },
      })
      const action = 'distribution_group.release_added'
      journal.record({
        subject: group.id,
        action,
        at: hoursAfter(release.at, 1),
        by: release.application.plan.lead,
      })
      visits.push(...(await visitsOfTesters(seeding, release)))
    }
  }
  const { data: inactive } = await client.createDistributionGroup({
    body: {
      name: 'Press preview',
      description: 'Opened before launches only.',
      is_active: false,
      type: 'external',
    },
  })
  journal.record({ subject: inactive.id, at: daysBefore(now, 70), by: 'kwame' })
  return visits
}

/** Returns downloads of most recipients. Their personal links are in the emails, which are not sent without SMTP. */
async function visitsOfTesters(
  { client, url, now, random }: Seeding,
  { builds, title, at }: SeededRelease,
): Promise<Visit[]> {
  const { data: mails } = await client.listMails({ per_page: 100 })
  const visits: Visit[] = []
  for (const { subject, text_body } of mails) {
    const link = /https?:\S+\/group-links\/\S+/.exec(text_body ?? '')?.[0]
    if (link === undefined || !subject.includes(title) || random.chance(0.4)) continue
    const visitedAt = hoursAfter(at, random.between(1.2, 90))
    visits.push({
      at: visitedAt < now ? visitedAt : now,
      path: readLink(url, link),
      build: random.pick(builds),
      address: `192.0.2.${random.integer(2, 250)}`,
    })
  }
  return visits
}

/** Creates a public portal with an unverified domain and a private one, and publishes releases in them. */
export async function seedPortals(
  { client, journal, now }: Seeding,
  releases: readonly SeededRelease[],
): Promise<void> {
  const plans = [
    {
      name: 'Brindle downloads',
      description: 'Everything that we publish.',
      type: 'public',
      subdomain: 'brindle',
      custom_domain: 'downloads.brindle.example',
      slugs: ['wayfern', 'marginalia', 'plover'],
      daysAgo: 132,
    },
    {
      name: 'Station operators',
      description: 'Firmware for operators of tide stations.',
      type: 'private',
      subdomain: 'stations',
      slugs: ['saltmarsh', 'plover'],
      daysAgo: 88,
    },
  ] as const
  for (const { slugs, daysAgo, ...fields } of plans) {
    const { data: portal } = await client.createPortal({ body: fields })
    const created = daysBefore(now, daysAgo)
    journal.record({ subject: portal.id, at: created, by: 'kwame' })
    await client.replacePortalIcon({ portal_id: portal.id, body: pngIcon('workspace') })
    for (const slug of slugs) {
      const own = releases.filter(({ application }) => application.plan.slug === slug)
      const [first] = own
      if (first === undefined) continue
      await client.replacePortalApplication({
        portal_id: portal.id,
        application_id: first.application.id,
        body: { streams_mode: 'none', releases_mode: 'selective' },
      })
      for (const release of own.filter(({ status }) => status === 'published').slice(-2)) {
        await client.publishPortalRelease({ portal_id: portal.id, body: { release_id: release.id } })
        const action = 'portal.release_published'
        journal.record({
          subject: portal.id,
          action,
          at: hoursAfter(release.at, 2),
          by: release.application.plan.lead,
        })
      }
    }
  }
}
