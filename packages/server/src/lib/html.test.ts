import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Html, html } from './html.ts'

test('escapes text in elements and attributes', () => {
  const text = `<script>alert("1")</script> & 'x'`
  assert.equal(
    html`<a title="${text}">${text}</a>`.markup,
    '<a title="&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; &#38; &#39;x&#39;">&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; &#38; &#39;x&#39;</a>',
  )
})

test('inserts nested markup and lists without escaping them again', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`)
  assert.equal(html`${items}${new Html('<hr>')}`.markup, '<li>a</li><li>&#60;b&#62;</li><hr>')
})

test('renders undefined and false as nothing and zero as a digit', () => {
  assert.equal(html`[${undefined}${false}${0}${''}]`.markup, '[0]')
})

test('keeps backslashes and dollar signs', () => {
  assert.equal(html`\\${'$&$1\\n'}`.markup, '\\$&#38;$1\\n')
})
