import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { iconModule, importedIcons, type Drawings } from './icon-module.ts'

const web = join(import.meta.dirname, '../../packages/web/src')

test('finds the icons that files import, each once', () => {
  const sources = [
    "import { IconCheck } from '../ui/icons/icons.ts'\nimport { Title } from '../ui/title.tsx'\n",
    "import type { Icon } from './icons/icon.tsx'\nimport {\n  IconBell,\n  IconCheck,\n} from './icons/icons.ts'\n",
  ]
  assert.deepEqual(importedIcons(sources), ['IconBell', 'IconCheck'])
})

test('draws each icon with one path, in the style that its name ends with', () => {
  const outline: Drawings = { 'share-2': [1, 2].map((x) => ['path', { d: `M${x} 2h3` }]) }
  const filled: Drawings = { 'circle-check': [['path', { d: 'M7 8z' }]] }
  const code = iconModule(['IconCircleCheckFilled', 'IconShare2'], { outline, filled })
  assert.match(code, /^export const IconShare2 = outlineIcon\('M1 2h3M2 2h3'\)$/m)
  assert.match(code, /^export const IconCircleCheckFilled = filledIcon\('M7 8z'\)$/m)
})

test('rejects an icon that does not exist or that one path cannot draw', () => {
  const outline: Drawings = {
    dot: [['circle', { r: '1' }]],
    faint: [['path', { d: 'M1 2', opacity: '.5' }]],
    relative: [['path', { d: 'm1 2h3' }]],
  }
  const drawings = { outline, filled: {} }
  assert.throws(() => iconModule(['IconNone'], drawings), { message: 'Tabler has no icon IconNone' })
  for (const name of ['IconDot', 'IconFaint', 'IconRelative'])
    assert.throws(() => iconModule([name], drawings), new RegExp(`^Error: ${name} is drawn`))
})

test('the console exports exactly the icons that it imports', () => {
  const sources = globSync('**/*.{ts,tsx}', { cwd: web }).map((path) => readFileSync(join(web, path), 'utf8'))
  const exported = readFileSync(join(web, 'ui/icons/icons.ts'), 'utf8').matchAll(/^export const (\w+)/gm)
  assert.deepEqual(
    [...exported].map(([, name]) => name),
    importedIcons(sources),
  )
})
