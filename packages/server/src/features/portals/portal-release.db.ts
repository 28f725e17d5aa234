import { sql } from 'kysely'
import { nameOrder } from '../../database/expressions.ts'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { selectWorkspaceName } from './portal.db.ts'

/** Selects the published releases that a portal shows. */
export const selectShownReleases = (db: Executor, portalId: string) =>
  db
    .selectFrom('releases')
    .innerJoin('portal_applications as pa', 'pa.application_id', 'releases.application_id')
    .innerJoin('applications', 'applications.id', 'releases.application_id')
    .leftJoin('portal_releases as pr', (join) =>
      join.onRef('pr.release_id', '=', 'releases.id').onRef('pr.portal_id', '=', 'pa.portal_id'),
    )
    .where('pa.portal_id', '=', portalId)
    .where('applications.deleted_at', 'is', null)
    .where('releases.status', '=', 'published')
    .where((eb) =>
      eb.or([
        eb('pa.releases_mode', '=', 'all'),
        eb.and([eb('pa.releases_mode', '=', 'selective'), eb('pr.release_id', 'is not', null)]),
      ]),
    )

/** The time at which the release first appeared in the portal. */
export const publishedAt = sql<string>`greatest(pr.published_at, releases.published_at)`

/**
 * Lists the published releases that a portal shows: for applications with releases_mode `all`, all of them; for
 * applications with releases_mode `selective`, those that were added to the portal.
 */
export async function listPortalReleasesPage(db: Executor, portalId: string, page: Page) {
  return listWithTotal(
    selectShownReleases(db, portalId)
      .select([
        'releases.id',
        'releases.application_id',
        'releases.title',
        'releases.version_major as major',
        'releases.version_minor as minor',
        'releases.version_patch as patch',
        'releases.version_extra as extra',
        'releases.version_meta as meta',
        publishedAt.as('published_at'),
      ])
      .orderBy(publishedAt)
      .orderBy('releases.id')
      .limit(page.limit)
      .offset(page.offset),
    selectShownReleases(db, portalId),
  )
}

/**
 * Lists the portals that contain the application of the release, by name, and whether they include the release itself.
 */
export async function listPortalsOfRelease(db: Executor, release: { id: string; application_id: string }) {
  return db
    .selectFrom('portal_applications as pa')
    .innerJoin('portals', 'portals.id', 'pa.portal_id')
    .leftJoin('portal_releases as pr', (join) =>
      join.onRef('pr.portal_id', '=', 'pa.portal_id').on('pr.release_id', '=', release.id),
    )
    .where('pa.application_id', '=', release.application_id)
    .select([
      'portals.id',
      'portals.name',
      'portals.type',
      'portals.subdomain',
      'portals.custom_domain',
      sql<boolean>`portals.custom_domain_verified_at is not null`.as('custom_domain_active'),
      selectWorkspaceName.as('workspace_subdomain'),
      'pa.releases_mode',
      sql<boolean>`pa.releases_mode = 'all' or pr.release_id is not null`.as('is_included'),
    ])
    .orderBy(nameOrder('portals.name'))
    .orderBy('portals.id')
    .execute()
}

export async function insertPortalRelease(
  tx: Tx,
  row: { portal_id: string; application_id: string; release_id: string },
): Promise<void> {
  await tx.insertInto('portal_releases').values(row).execute()
}

/** Unpublishes the release in the portal; returns false if it had not been published there individually. */
export async function removePortalRelease(tx: Tx, portalId: string, releaseId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('portal_releases')
    .where('portal_id', '=', portalId)
    .where('release_id', '=', releaseId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
