import { page } from '../../../http/pages/page.ts'
import { renderUserMarkdown } from '../../../http/pages/user-markdown.ts'
import { html } from '../../../lib/html.ts'
import { formatVersion } from '../../../lib/semver.ts'
import { explainPortal } from './explain-portal.ts'
import { positionText, readPosition } from './list-position.ts'
import { listReleasesOfPortal } from './portal-contents.db.ts'
import { conditionalPage, displayDate, portalDocument, renderNothing } from './portal-document.ts'
import { renderPager } from './portal-front-page.ts'
import { emailDocument } from './portal-sign-in-document.ts'
import { portalParams, requireVisitedPortal } from './visited-portal.ts'

const perPage = 10

/** The notes of the releases that a portal shows, newest first. */
export const portalChangelogPage = page({
  method: 'GET',
  path: '/public/portals/:portal_id/changelog',
  isForEveryClient: true,
  params: portalParams,
  load: requireVisitedPortal,
  explain: explainPortal,
  async handle({ portal, ...call }) {
    if (!portal.isOpen) return emailDocument(call, portal, {})
    const { text } = call
    const after = readPosition(call.fields.get('after'))
    const found = await listReleasesOfPortal(call.db, portal.id, { after, limit: perPage + 1 })
    const releases = found.slice(0, perPage)
    const last = found.length > perPage ? releases.at(-1) : undefined
    const path = `${portal.base}/changelog`
    const older = last && `${path}?after=${positionText({ time: last.published_at, id: last.id })}`
    const body = html`<h1>${text.portal.changelog}</h1>
      ${
        releases.length > 0 &&
        html`<ol class="card entries">
          ${releases.map(
            (release) =>
              html`<li class="change">
                <div>
                  <h2>
                    <a href="${`${portal.base}/releases/${release.id}`}"
                      >${release.application_name} ${formatVersion(release)}</a
                    >
                  </h2>
                  <p class="meta">${displayDate(release.published_at, text)}</p>
                </div>
                ${
                  release.notes === null || release.notes.trim() === ''
                    ? html`<p class="meta">${text.portal.noNotes}</p>`
                    : html`<div class="notes">${renderUserMarkdown(release.notes)}</div>`
                }
              </li>`,
          )}
        </ol>`
      }
      ${releases.length === 0 && renderNothing(text.portal.empty)}
      ${renderPager({ older, newest: after && path }, call)}`
    return {
      ...conditionalPage,
      ...portalDocument(call, portal, { title: text.portal.changelog, tab: 'changelog', body }),
    }
  },
})
