import assert from 'node:assert/strict'
import { test } from 'node:test'
import { terminalSvg } from './terminal-svg.ts'

const runs = (output: string): string[][] =>
  [...terminalSvg(output, 80).matchAll(/<text x="([\d.]+)"[^>]*?(?: class="([^"]*)")?>([^<]*)<\/text>/g)].map(
    ([, x = '', classes = '', text = '']) => [x, classes, text],
  )

test('draws each run of styled text at its column', () => {
  assert.deepEqual(runs('ok \u001B[1;31mbad\u001B[0m  end'), [
    ['18.0', '', 'ok'],
    ['43.2', 'bold red', 'bad'],
    ['85.2', '', 'end'],
  ])
})

test('ends bold text and colors at their reset codes', () => {
  assert.deepEqual(
    runs('\u001B[1m\u001B[32ma\u001B[22mb\u001B[39mc').map(([, classes]) => classes),
    ['bold green', 'green', ''],
  )
})

test('highlights the prompt and escapes text', () => {
  assert.deepEqual(runs('$ a < b'), [
    ['18.0', 'prompt', '$'],
    ['34.8', '', 'a &#60; b'],
  ])
})
