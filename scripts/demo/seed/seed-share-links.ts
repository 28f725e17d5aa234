import type { ShareLink } from '@quayside/sdk'
import { createRandom } from '../random.ts'
import { daysBefore, hoursAfter, type Seeding } from '../seeding.ts'
import type { SeededBuild } from './seed-builds.ts'
import type { SeededRelease } from './seed-releases.ts'
import { readLink, type Visit } from './visits.ts'

type Kind = 'open' | 'password' | 'expiring' | 'expired' | 'exhausted' | 'revoked'

const password = 'heather-and-gorse'
const kinds: readonly Kind[] = ['open', 'password', 'expiring', 'expired', 'exhausted', 'revoked']

/**
 * Creates share links of all kinds for releases and builds. Returns the downloads through them, which must be requested
 * in order of time before the links are closed by `closeLinks`.
 */
export async function seedShareLinks(
  seeding: Seeding,
  releases: readonly SeededRelease[],
  builds: readonly SeededBuild[],
): Promise<{ visits: Visit[]; closeLinks: () => Promise<void> }> {
  const { client, journal, now, size, random } = seeding
  const published = releases.filter(({ status }) => status === 'published').toReversed()
  const betas = builds.filter(({ run }) => run.stream === 'beta').toReversed()
  const visits: Visit[] = []
  const revoked: string[] = []
  for (const [index, kind] of [...kinds, ...(size === 'full' ? kinds : [])].entries()) {
    const release = published[index % published.length]
    const build = betas[index % Math.max(betas.length, 1)]
    const sharesRelease = index % 2 === 0 || build === undefined
    if (release === undefined) return { visits, closeLinks: async () => {} }
    const { application, at } = sharesRelease ? release : { ...build, at: build.run.at }
    const link = sharesRelease
      ? await client.createReleaseShareLink({
          application_id: application.id,
          release_id: release.id,
          body: optionsOf(kind, now),
        })
      : await client.createBuildShareLink({
          application_id: application.id,
          build_id: build.id,
          body: optionsOf(kind, now),
        })
    const created = hoursAfter(at, 5) < now ? hoursAfter(at, 5) : now
    const { data } = link
    journal.record({ subject: data.id, action: 'share_link.created', at: created, by: application.plan.lead })
    const lasts = Math.min((now.getTime() - created.getTime()) / 3_600_000, 24 * 30)
    const expiredAt = hoursAfter(created, lasts * 0.6)
    if (kind === 'expired') journal.expireLink(data.id, expiredAt)
    if (kind === 'revoked') {
      revoked.push(data.id)
      journal.record({
        subject: data.id,
        action: 'share_link.updated',
        at: hoursAfter(created, lasts * 0.8),
        by: 'kwame',
      })
    }
    const targets = sharesRelease ? release.builds : [build]
    const count = kind === 'exhausted' ? maxDownloads : random.integer(3, size === 'full' ? 30 : 5)
    visits.push(...visitsOf(seeding, data, { kind, count, from: created, hours: lasts * 0.58, targets }))
  }
  const closeLinks = async () => {
    for (const id of revoked) await client.updateShareLink({ share_link_id: id, body: { is_active: false } })
  }
  return { visits, closeLinks }
}

const maxDownloads = 5

function optionsOf(kind: Kind, now: Date) {
  const inDays = (days: number) => daysBefore(now, -days).toISOString()
  if (kind === 'password') return { password, expires_at: inDays(21) }
  if (kind === 'expiring') return { expires_at: inDays(2), max_downloads: 50 }
  if (kind === 'expired') return { expires_at: inDays(7) }
  return kind === 'exhausted' ? { max_downloads: maxDownloads } : {}
}

type Plan = { kind: Kind; count: number; from: Date; hours: number; targets: readonly SeededBuild[] }

function visitsOf(
  { url, seed, now }: Seeding,
  link: ShareLink,
  { kind, count, from, hours, targets }: Plan,
): Visit[] {
  const random = createRandom(`${seed} visits ${kind} ${from.getTime()}`)
  return Array.from({ length: count }, () => {
    // Most people download soon after they have received the link.
    const at = hoursAfter(from, hours * random.between(0, 1) ** 2)
    return {
      at: at < now ? at : now,
      path: readLink(url, link.url),
      build: random.pick(targets),
      ...(kind === 'password' ? { password } : {}),
    }
  })
}
