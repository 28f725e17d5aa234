import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colors } from '../../../http/pages/design-tokens.ts'
import { accentStyle, contrastOf } from './accent-color.ts'

test('computes contrast as WCAG defines it', () => {
  assert.equal(contrastOf('#000000', '#ffffff').toFixed(2), '21.00')
  assert.equal(contrastOf('#777777', '#ffffff').toFixed(2), '4.48')
  assert.equal(contrastOf('#fff', '#fff'), 1)
})

test('gives every color readable shades in both themes', () => {
  const steps = ['00', '40', '80', 'bf', 'ff']
  const all = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)))
  for (const color of all) {
    const shades = [...accentStyle(color).matchAll(/--mark:(\S+?);--on-mark:(\S+?);--mark-hover:(#\w{6})/g)]
    assert.equal(shades.length, 2, color)
    for (const [index, theme] of (['light', 'dark'] as const).entries()) {
      const [, mark = '', onMark = '', hover = ''] = shades[index] ?? []
      for (const background of [colors[theme].page, colors[theme].card, colors[theme].code])
        assert.ok(contrastOf(mark, background) >= 4.5, `${color} in ${theme} on ${background}: ${mark}`)
      assert.ok(contrastOf(onMark, mark) >= 4.5, `${color} in ${theme}: ${onMark} on ${mark}`)
      assert.ok(contrastOf(onMark, hover) >= 4.5, `${color} in ${theme}: ${onMark} on ${hover}`)
    }
  }
  assert.equal(accentStyle(null), '')
})
