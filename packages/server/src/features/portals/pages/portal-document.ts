import type { Config } from '../../../config/config.ts'
import { symbol } from '../../../http/endpoint/symbols.ts'
import type { DocumentContent } from '../../../http/pages/document.ts'
import type { PageCall } from '../../../http/pages/page.ts'
import type { VisitorText } from '../../../http/pages/text/english.ts'
import { html, type Html } from '../../../lib/html.ts'
import { iconUrl } from '../../icons/icon.ts'
import { accentStyle } from './accent-color.ts'
import { feedsOf } from './feed-links.ts'
import { portalStyle } from './portal.style.ts'
import type { VisitedPortal } from './visited-portal.ts'

type Tab = 'releases' | 'changelog'

type PortalPage = {
  title?: string
  tab?: Tab
  /** Whether the name of the portal is the heading of the page. */
  isFront?: boolean
  body: Html
  redirectOrigins?: readonly string[]
  preview?: DocumentContent['preview']
}

type DrawingCall = Pick<PageCall, 'config' | 'text' | 'secretBox'>

/** Returns a page of a portal: its name and color, the content of the page, and links to its feeds. */
export function portalDocument(call: DrawingCall, portal: VisitedPortal, page: PortalPage): DocumentContent {
  const { text, config } = call
  const feeds = feedsOf(call, portal)
  const { title, preview, redirectOrigins } = page
  return {
    ...brandedDocument(config, portal),
    title: title === undefined ? portal.name : `${title} · ${portal.name}`,
    body: html`${renderBrand(config, portal, page.isFront ?? false)}
      ${page.isFront === true && portal.description !== null && html`<p class="about">${portal.description}</p>`}
      <nav class="tabs" aria-label="${portal.name}">
        ${renderTab(text.portal.releases, portal.home, page.tab === 'releases')}
        ${renderTab(text.portal.changelog, `${portal.base}/changelog`, page.tab === 'changelog')}
      </nav>
      ${page.body} ${renderMore(portal, feeds, text)}`,
    feeds,
    ...(preview === undefined ? {} : { preview }),
    ...(redirectOrigins === undefined ? {} : { redirectOrigins }),
  }
}

/** Returns the style and icon of every page of a portal, including those that a visitor sees before entering a code. */
export const brandedDocument = (config: Config, portal: VisitedPortal) => {
  const icon = iconPathOf(config, portal.icon_object_key)
  return {
    style: `${portalStyle}${accentStyle(portal.accent_color)}`,
    ...(icon === undefined ? {} : { iconPath: icon }),
  }
}

function iconPathOf({ publicUrl }: Pick<Config, 'publicUrl'>, key: string | null): string | undefined {
  const url = iconUrl(publicUrl, key)
  return url === null ? undefined : new URL(url).pathname
}

/** The headers of pages that may be kept and asked for again. What they contain depends on these request headers. */
export const conditionalPage = {
  isConditional: true,
  headers: { vary: 'accept, accept-language, cookie, user-agent' },
} as const

function renderTab(label: string, path: string, isCurrent: boolean): Html {
  return html`<a href="${path}" ${isCurrent && html`aria-current="page"`}>${label}</a>`
}

export function renderBrand(config: Config, portal: VisitedPortal, isHeading: boolean): Html {
  const icon = iconPathOf(config, portal.icon_object_key)
  const [letter = '?'] = portal.name.trim()
  const image =
    icon === undefined
      ? html`<div class="icon-image letter" aria-hidden="true">${letter.toUpperCase()}</div>`
      : html`<img class="icon-image" src="${icon}" alt="" width="48" height="48" />`
  return html`<div class="brand">
    ${image}
    ${isHeading ? html`<h1>${portal.name}</h1>` : html`<p><a href="${portal.home}">${portal.name}</a></p>`}
  </div>`
}

type Feed = NonNullable<DocumentContent['feeds']>[number]

function renderMore(portal: VisitedPortal, feeds: readonly Feed[], { portal: text }: VisitorText): Html {
  const labels = ['RSS', 'Atom', 'JSON Feed']
  const { visitor_email: email } = portal
  return html`<div class="more-of">
      <span>${text.feeds}</span>
      ${feeds.map(({ path }, index) => html`<a href="${path}">${labels[index]}</a>`)}
    </div>
    ${
      email !== null &&
      html`<form class="more-of" method="post" action="${portal.base}/sign-out">
        <span>${text.personalFeeds}</span> <span>${text.signedInAs(html`<strong>${email}</strong>`)}</span>
        <button>${text.signOut}</button>
      </form>`
    }`
}

/** Returns a date in words, such as `21 November 2026`. */
export const displayDate = (time: string, { locale }: VisitorText): Html =>
  html`<time datetime="${time}"
    >${new Date(time).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })}</time
  >`

/** Renders why a list is empty. */
export const renderNothing = (
  { title, text }: { title: string; text: string },
  action?: { label: string; path: string },
): Html =>
  html`<section class="card notice">
    <div class="symbol">${symbol('search')}</div>
    <h2>${title}</h2>
    <p>${text}</p>
    ${action !== undefined && html`<a class="button secondary" href="${action.path}">${action.label}</a>`}
  </section>`
