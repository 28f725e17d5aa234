import { createRandom } from '../random.ts'
import { daysBefore, hoursAfter, type Seeding } from '../seeding.ts'
import type { SeededRelease } from './seed-releases.ts'
import { readLink, type Visit } from './visits.ts'

/** The number of people who download a release of an application from its website in the first days. */
const audience: Readonly<Record<string, number>> = {
  wayfern: 90,
  'lantern-deep': 60,
  marginalia: 45,
  plover: 30,
  saltmarsh: 8,
}

/**
 * Creates the link of each recent release that the website of its application shows, until the next release. Returns the
 * downloads through them: many on the first days, then fewer, on weekends half as many.
 */
export async function seedWebsiteLinks(
  { client, journal, url, now, seed }: Seeding,
  releases: readonly SeededRelease[],
): Promise<Visit[]> {
  const visits: Visit[] = []
  const published = releases.filter(({ status, at }) => status === 'published' && at > daysBefore(now, 100))
  for (const [index, release] of published.entries()) {
    const { application, at, builds, id } = release
    const random = createRandom(`${seed} website ${application.plan.slug} ${at.getTime()}`)
    const next = published.slice(index + 1).find((later) => later.application === application)
    const hours = ((next?.at ?? now).getTime() - at.getTime()) / 3_600_000
    const { data } = await client.createReleaseShareLink({
      application_id: application.id,
      release_id: id,
      body: {},
    })
    const subject = { subject: data.id, action: 'share_link.created' }
    journal.record({ ...subject, at: hoursAfter(at, 0.5), by: application.plan.lead })
    const first = audience[application.plan.slug] ?? 0
    const times = [
      ...Array.from({ length: first }, () => Math.min(96, hours) * random.between(0, 1) ** 2),
      ...Array.from({ length: Math.round((first / 20) * (hours / 24)) }, () => hours * random.between(0, 1)),
    ]
    for (const hour of times) {
      const visitedAt = hoursAfter(at, hour)
      const isWeekend = [0, 6].includes(visitedAt.getUTCDay())
      if (visitedAt < now && !(isWeekend && random.chance(0.5)))
        visits.push({ at: visitedAt, path: readLink(url, data.url), build: random.pick(builds) })
    }
  }
  return visits
}
