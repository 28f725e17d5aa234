import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { docsFolder } from '../../config/package-files.ts'
import { entityTag } from '../../http/endpoint/conditional.ts'
import type { StaticFile } from '../../http/wire/send-file.ts'
import { readNavigation, renderMarkdown, type NavigationGroup, type RenderedPage } from './markdown.ts'
import { style } from './page.style.ts'
import { renderPage } from './page.ts'

/** The heading in docs/README.md below which pages for contributors are listed. They are not served. */
const contributing = '\n## Contributing\n'

/** The origins in the examples. Served pages show the public URL of the service instead. */
const exampleOrigins = /https:\/\/builds\.example\.com|http:\/\/localhost:4400/g

/** The host in examples of other programs, such as the configuration of a proxy. */
const exampleHost = 'builds.example.com'

/**
 * Returns every file of the site by its path below /docs: the pages that docs/README.md lists for users, as HTML and as
 * Markdown, their images, the stylesheet, the script and the search index.
 */
export async function buildSite(publicUrl: string, version: string): Promise<Map<string, StaticFile>> {
  const { pathname, hostname } = new URL(publicUrl)
  const basePath = `${pathname.replace(/\/$/, '')}/docs`
  const readSource = async (file: string): Promise<string> => {
    const [source = ''] = (await readFile(join(docsFolder, file), 'utf8')).split(contributing)
    return source.replaceAll(exampleOrigins, () => publicUrl).replaceAll(exampleHost, () => hostname)
  }
  const index = await readSource('README.md')
  const groups = readNavigation(index)
  const names = ['README.md', ...groups.flatMap(({ pages }) => pages.map(({ file }) => file))]
  const pictures = new Set<string>()
  const resolveLink = (target: string): string | undefined => {
    if (/^(https?:|#)/.test(target)) return target
    const [, file = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(target) ?? []
    if (names.includes(file)) return pageUrl(basePath, file) + anchor
    if (!/^[\w/-]+\.(?:svg|webp)$/.test(file)) return undefined
    pictures.add(file)
    return `${basePath}/${file}`
  }
  const sources = await Promise.all(names.map(readSource))
  const pages = names.map((file, position) => ({
    file,
    url: pageUrl(basePath, file),
    ...renderMarkdown(sources[position] ?? '', resolveLink),
  }))

  const files = new Map<string, StaticFile>()
  const add = (path: string, type: string, content: string | Buffer) =>
    files.set(path, { type, content: Buffer.from(content), tag: entityTag(content) })
  const navigation = navigationWithUrls(groups, basePath)
  for (const [position, { file, ...page }] of pages.entries()) {
    const neighbors = { previous: pages[position - 1], next: pages[position + 1] }
    const html = renderPage({ page, navigation, basePath, version, ...neighbors })
    add(pageName(file), 'text/html', html)
    add(file, 'text/markdown', sources[position] ?? '')
  }
  for (const picture of pictures) {
    const type = picture.endsWith('.svg') ? 'image/svg+xml' : 'image/webp'
    add(picture, type, await readFile(join(docsFolder, picture)))
  }
  add('docs.css', 'text/css', style)
  add('docs.js', 'text/javascript', await readFile(new URL('./page.client.js', import.meta.url)))
  add('search.json', 'application/json', JSON.stringify(searchIndex(pages)))
  return files
}

const pageName = (file: string): string => (file === 'README.md' ? '' : file.replace(/\.md$/, ''))

const pageUrl = (basePath: string, file: string): string => `${basePath}/${pageName(file)}`.replace(/\/$/, '')

const navigationWithUrls = (groups: NavigationGroup[], basePath: string) =>
  groups.map(({ title, pages }) => ({
    title,
    pages: pages.map((page) => ({ title: page.title, url: pageUrl(basePath, page.file) })),
  }))

/** Returns the sections of all pages. page.client.js searches them. */
const searchIndex = (pages: (RenderedPage & { url: string })[]) =>
  pages.flatMap(({ url, title: page, sections }) =>
    sections.map(({ id, title, depth, text }) => ({
      url: depth === 1 ? url : `${url}#${id}`,
      page,
      heading: title,
      text,
    })),
  )
