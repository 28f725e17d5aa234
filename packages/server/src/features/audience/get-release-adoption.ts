import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireReleaseOfPath } from '../releases/release.db.ts'
import { ReleaseId } from '../releases/release.ts'
import { countShares, findPreviousRelease, listAdoptionDays } from './release-adoption.db.ts'
import { ReleaseAdoption, releaseAdoption, shareDays } from './release-adoption.ts'

const defaultDays = 30

export const getReleaseAdoption = endpoint({
  method: 'GET',
  path: '/applications/:application_id/releases/:release_id/adoption',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get the adoption of a release',
  description:
    'Counts the downloads and installs of the builds of a release, and the checks for updates by clients that have its version, on each day since its publication, beside those of the release published before it for the same platforms. Day 0 is the day of the publication, in UTC. Both releases are `null` if the release has never been published.',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  query: Type.Object({
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 90,
        default: defaultDays,
        description: 'Number of days from the publication of each release on.',
      }),
    ),
  }),
  returns: one(ReleaseAdoption),
  load: requireReleaseOfPath,
  async handle({ db, release, query, clock }) {
    const { published_at } = release
    const days = query.days ?? defaultDays
    const published = published_at === null ? undefined : { ...release, published_at }
    const previous = published === undefined ? undefined : await findPreviousRelease(db, release)
    const shown = [published, previous].filter((each) => each !== undefined)
    const rows = await listAdoptionDays(db, shown, days)
    const shares = await countShares(db, release, shareDays)
    return {
      message: 'Adoption retrieved.',
      data: releaseAdoption({ release: published, previous, rows, shares }, { now: clock.now(), days }),
    }
  },
})
