import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toPicture } from './to-picture.ts'

describe('the picture of a page', () => {
  test('shows the value or the placeholder of a field as text', () => {
    assert.equal(
      toPicture(
        '<p><input type="text" class="a" value="1 &lt; 2"/><input placeholder="Version" value=""/></p>',
      ),
      '<p><span type="text" class="a" data-field>1 &lt; 2</span>' +
        '<span placeholder="Version" data-field><span data-placeholder>Version</span></span></p>',
    )
    assert.equal(toPicture('<textarea rows="2">a\nb</textarea>'), '<span rows="2">a\nb</span>')
  })

  test('contains no passwords and no fields that are not visible', () => {
    assert.equal(
      toPicture(
        '<input type="password" value="secret"/><input type="hidden" value="x"/><input type="file"/>',
      ),
      '<span type="password" data-field><span data-placeholder></span></span>',
    )
  })

  test('shows which boxes are checked', () => {
    assert.equal(
      toPicture('<input type="checkbox" checked=""/><input type="checkbox"/>'),
      '<span type="checkbox" checked="" data-checked></span><span type="checkbox"></span>',
    )
  })

  test('contains nothing that the content security policy forbids', () => {
    assert.equal(
      toPicture('<a style="--x:1" class="b">c</a><script>run()</script><b data-note="x style= y">d</b>'),
      '<a data-style="--x:1" class="b">c</a><b data-note="x style= y">d</b>',
    )
  })

  test('contains no IDs, which the page itself uses', () => {
    assert.equal(
      toPicture('<label for="a" id="b">c</label><select id="a" name="d"><option>e</option></select>'),
      '<label>c</label><span></span>',
    )
  })
})
