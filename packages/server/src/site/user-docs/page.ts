import { Html, html } from '../../lib/html.ts'
import type { Heading } from './markdown.ts'

export type SitePage = { url: string; title: string; html: string; sections: Heading[] }

type Link = { url: string; title: string }

type PageOptions = {
  page: SitePage
  navigation: { title: string; pages: Link[] }[]
  previous: Link | undefined
  next: Link | undefined
  /** The path of /docs, which depends on the public URL. */
  basePath: string
  version: string
}

/** Returns the HTML document of a page. Everything on it except search and copy buttons works without JavaScript. */
export function renderPage({ page, navigation, previous, next, basePath, version }: PageOptions): string {
  const root = basePath.slice(0, -'/docs'.length)
  const reference = `${root}/api/v1/docs`
  const headings = page.sections.filter(({ depth }) => depth === 2)
  const isIndex = page.url === basePath
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${isIndex ? page.title : `${page.title} – Quayside`}</title>
        <link rel="icon" href="${root}/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${basePath}/docs.css" />
        <script src="${basePath}/docs.js" defer data-index="${basePath}/search.json"></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header>
          <button class="menu" popovertarget="menu" aria-label="Menu">☰</button>
          <a class="brand" href="${basePath}">Quayside <span>Docs</span></a>
          <div class="search" hidden>
            <input
              type="search"
              placeholder="Search"
              aria-label="Search the documentation"
              role="combobox"
              aria-expanded="false"
              aria-controls="results"
              autocomplete="off"
              spellcheck="false"
            /><kbd>/</kbd>
            <ul id="results" role="listbox" aria-label="Search results" hidden></ul>
          </div>
          <a class="reference" href="${reference}">API reference</a>
        </header>
        <div class="columns">
          <nav id="menu" popover aria-label="Pages">
            ${navigation.map((group) => renderGroup(group, page.url))}
            <p class="version"><a href="${reference}">API reference</a><br />Quayside ${version}</p>
          </nav>
          <main id="content">
            <article>${new Html(page.html)}</article>
            <footer>${renderNeighbor(previous, 'Previous')}${renderNeighbor(next, 'Next')}</footer>
          </main>
          ${
            isIndex || headings.length < 2
              ? html`<aside></aside>`
              : html`<aside aria-label="On this page">
                  <h2>On this page</h2>
                  <ul>
                    ${headings.map(renderHeading)}
                  </ul>
                </aside>`
          }
        </div>
      </body>
    </html> `.markup
}

const renderGroup = ({ title, pages }: { title: string; pages: Link[] }, current: string): Html =>
  html`<section>
    <h2>${title}</h2>
    <ul>
      ${pages.map(
        ({ url, title: name }) =>
          html`<li>
            ${url === current ? html`<a href="${url}" aria-current="page">${name}</a>` : html`<a href="${url}">${name}</a>`}
          </li>`,
      )}
    </ul>
  </section>`

const renderHeading = ({ id, title }: Heading): Html => html`<li><a href="#${id}">${title}</a></li>`

const renderNeighbor = (link: Link | undefined, label: string): Html =>
  link === undefined
    ? html`<span></span>`
    : html`<a class="${label.toLowerCase()}" href="${link.url}"><small>${label}</small>${link.title}</a>`
