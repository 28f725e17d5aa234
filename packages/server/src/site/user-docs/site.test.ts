import assert from 'node:assert/strict'
import { globSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { before, describe, test } from 'node:test'
import { docsFolder as docs } from '../../config/package-files.ts'
import type { StaticFile } from '../../http/wire/send-file.ts'
import { readNavigation, renderMarkdown } from './markdown.ts'
import { buildSite } from './site.ts'

const publicUrl = 'https://downloads.example.org/quayside'

let site: Map<string, StaticFile>
before(async () => {
  site = await buildSite(publicUrl, '1.0.0')
})

const text = (path: string): string => site.get(path)?.content.toString() ?? assert.fail(`no file ${path}`)
const pages = (): [string, string][] =>
  [...site]
    .filter(([, { type }]) => type === 'text/html')
    .map(([path, { content }]) => [path, content.toString()])
const idsIn = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)

describe('Markdown documents', () => {
  const root = resolve(docs, '..')
  const files = [
    ...globSync('{*.md,docs/**/*.md,bench/*.md,{integrations,packages}/**/README.md}', {
      cwd: root,
      exclude: ['**/node_modules', '**/dist'],
    }),
  ]

  for (const file of files)
    test(`resolves every link in ${file}`, () => {
      const broken: string[] = []
      const check = (target: string, source: string): string => {
        if (/^(https?|mailto):/.test(target)) return target
        const [path = '', anchor] = target.split('#')
        const linked = path === '' ? source : join(dirname(source), path)
        if (!existsSync(linked)) broken.push(target)
        else if (anchor !== undefined && linked.endsWith('.md')) {
          const { html } = renderMarkdown(readFileSync(linked, 'utf8'), (url) => url)
          if (!idsIn(html).includes(anchor)) broken.push(target)
        }
        return target
      }
      const path = join(root, file)
      renderMarkdown(readFileSync(path, 'utf8'), (target) => check(target, path))
      assert.deepEqual(broken, [])
    })

  test('lists every Markdown document in docs/README.md', () => {
    const index = readFileSync(join(docs, 'README.md'), 'utf8')
    const listed = readNavigation(index).flatMap((group) => group.pages.map(({ file }) => file))
    const existing = globSync('*.md', { cwd: docs }).filter((file) => file !== 'README.md')
    assert.deepEqual(listed.toSorted(), existing.toSorted())
  })
})

describe('the documentation site', () => {
  test('links to every page from every page and marks the current page', () => {
    const links = [...text('').matchAll(/<li><a href="([^"#]+)"/g)].map(([, url]) => url)
    assert.ok(links.length > 8)
    for (const [path, html] of pages()) {
      for (const url of links) assert.ok(html.includes(`href="${url}"`), `${path} does not link to ${url}`)
      if (path !== '') assert.ok(html.includes(`href="/quayside/docs/${path}" aria-current="page"`), path)
    }
  })

  test('contains a file for every link, image, stylesheet and script', () => {
    for (const [path, html] of pages())
      for (const [, url = ''] of html.matchAll(/(?:href|src|data-index)="(\/quayside\/docs[^"]*)"/g)) {
        const [target = '', anchor] = url.replace(/^\/quayside\/docs\/?/, '').split('#')
        assert.ok(site.has(target), `${path} links ${url}`)
        if (anchor !== undefined) assert.ok(idsIn(text(target)).includes(anchor), `${path} links ${url}`)
      }
  })

  test('loads nothing from other sites and contains no inline scripts or styles', () => {
    for (const [path, html] of pages()) {
      assert.doesNotMatch(html, /<(script|link|img)[^>]* (src|href)="(https?:)?\/\//, path)
      assert.doesNotMatch(html, /<script>|<style| style="| on\w+="/, path)
    }
    for (const path of ['docs.css', 'docs.js']) assert.doesNotMatch(text(path), /https?:|url\(|@import/)
  })

  test('shows the public URL in examples, as HTML and as Markdown', () => {
    assert.match(text('ci'), /curl -fsSL https:\/\/downloads\.example\.org\/quayside\/cli\/install\.sh/)
    assert.match(text('ci.md'), /curl -fsSL https:\/\/downloads\.example\.org\/quayside\/cli\/install\.sh/)
    assert.match(text('vm'), /server_name downloads\.example\.org;/)
    for (const [path, html] of pages()) assert.doesNotMatch(html, /builds\.example\.com/, path)
  })

  test('explains how to run admin commands with every installation method', () => {
    const index = readFileSync(join(docs, 'README.md'), 'utf8')
    const group = readNavigation(index).find(({ title }) => title === 'For operators')
    const methods = (group?.pages ?? []).filter(({ title }) => /^(Run|Install) /.test(title))
    assert.ok(methods.length >= 3)
    const table = text('operating')
    for (const { file } of methods) {
      const path = file.replace(/\.md$/, '')
      assert.match(
        text(path),
        /<h[23] id="run-admin-commands">.*?<pre[^>]*><code>[^<]* doctor\n?<\/code>/s,
        path,
      )
      assert.ok(table.includes(`/docs/${path}#run-admin-commands"`), `operating.md does not link to ${path}`)
    }
  })

  test('omits contributor pages and the comments in the Markdown sources', () => {
    assert.ok(!site.has('architecture'))
    for (const [path, html] of pages()) assert.doesNotMatch(html, /<!--|&#60;!--|>Contributing</, path)
  })

  test('includes the text of every section in the search index', () => {
    const index = JSON.parse(text('search.json')) as { url: string; heading: string; text: string }[]
    const found = index.find(({ url }) => url === '/quayside/docs/share#download-with-a-link')
    assert.equal(found?.heading, 'Download with a link')
    assert.match(found.text, /exchange it for a grant first/)
    for (const { heading, text } of index) {
      assert.notEqual(heading, '')
      assert.doesNotMatch(text, /&#?\w+;|<\/\w+>/)
    }
  })

  test('escapes raw HTML in a page', () => {
    const { html } = renderMarkdown(
      '# T\n\n<script>alert(1)</script>\n\n[x](javascript:alert)',
      () => undefined,
    )
    assert.doesNotMatch(html, /<script|javascript:/)
    assert.match(html, /&#60;script&#62;/)
  })
})
