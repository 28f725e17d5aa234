import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderUserMarkdown } from '../../../../server/src/http/pages/user-markdown.ts'
import { renderMarkdown } from './render-markdown.ts'

const sources = [
  '# Title\n\nText with **bold**, *emphasis*, ~~removed~~ and `code & more`.\nNext line',
  '| a | b |\n|:--|--:|\n| 1 | `x` |',
  '- [x] done\n- [ ] open\n\n1. one\n\n   more\n2. two',
  'https://x.example/a?b=1&c=2 www.x.example a@b.example <https://x.example>',
  '[a](https://x.example "title") [b](javascript:alert(1)) [c](/relative) ![d](https://x.example/d.png)',
  '<b onclick="x">a</b> &amp; &copy; &lt; \\*',
  '<kbd><img src=x onerror=alert(1)//',
  '> quoted\n\n---\n\n```html\n<b>\n```',
  '*a '.repeat(600),
  '> '.repeat(20),
]

test('renders Markdown as visitors see it', () => {
  for (const source of sources)
    assert.equal(
      renderMarkdown(source).replaceAll(' target="_blank"', ''),
      renderUserMarkdown(source).markup,
      source,
    )
})
