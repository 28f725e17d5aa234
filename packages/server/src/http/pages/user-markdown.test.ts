import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderUserMarkdown } from './user-markdown.ts'

const render = (source: string): string => renderUserMarkdown(source).markup.trim()

for (const [name, source, expected] of [
  ['emphasis and lists', '- **a** and *b*', '<ul>\n<li><strong>a</strong> and <em>b</em></li>\n</ul>'],
  ['headings below those of the page', '# A', '<h3>A</h3>'],
  ['code without markup', '```html\n<b>\n```', '<pre><code>&#60;b&#62;</code></pre>'],
  [
    'links to web pages',
    '[a](https://x.example/?a=1&b=2)',
    '<p><a href="https://x.example/?a=1&#38;b=2" rel="nofollow noreferrer">a</a></p>',
  ],
  ['other links as text', '[a](javascript:alert(1)) [b](/c)', '<p>a b</p>'],
  [
    'images as links',
    '![a](https://x.example/a.png)',
    '<p><a href="https://x.example/a.png" rel="nofollow noreferrer">a</a></p>',
  ],
  ['raw HTML as text', '<b onclick="x">a</b>', '<p>&#60;b onclick=&#34;x&#34;&#62;a&#60;/b&#62;</p>'],
  [
    'an unfinished tag after a raw tag as text',
    '<kbd><img src=x onerror=alert(1)//',
    '<p>&#60;kbd&#62;&#60;img src=x onerror=alert(1)//</p>',
  ],
  ['a long line of dashes as a rule', 'a\n\n----------------', '<p>a</p>\n<hr>'],
  ['a single line break as a break', 'a\nb', '<p>a<br>b</p>'],
] as const)
  test(`renders ${name}`, () => {
    assert.equal(render(source), expected)
  })

test('parses no text of 20,000 characters for longer than a second', () => {
  const pieces = [
    'a **b* ',
    '1. ',
    '> ',
    '- ',
    '[',
    '[a](',
    '_a_*',
    '~a~~',
    '<',
    '**a',
    '`',
    '|a',
    '&',
    '![[',
  ]
  const separated = pieces.map((piece) => `${piece.repeat(480 / piece.length)}\n\n`)
  for (const piece of [...pieces, ...separated]) {
    const before = process.cpuUsage()
    render(piece.repeat(20_000 / piece.length))
    const { user, system } = process.cpuUsage(before)
    assert.ok(user + system < 1_000_000, `${piece.slice(0, 8)}: ${(user + system) / 1000} ms`)
  }
})
