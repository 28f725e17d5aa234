import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { iconModule, importedIcons, type Drawings } from './icons/icon-module.ts'
import { installTools, toolPath } from './tools/tool-sets.ts'

// npm run icons      writes packages/web/src/ui/icons/icons.ts with the icons of Tabler that the console imports from it.
//                    To use another icon, import it and run this. The whole set is 90 MB, so it is no dependency.
installTools('icons')
const web = join(import.meta.dirname, '../packages/web/src')
const sources = globSync('**/*.{ts,tsx}', { cwd: web }).map((path) => readFileSync(join(web, path), 'utf8'))
const readDrawings = (style: string) =>
  JSON.parse(readFileSync(toolPath('icons', `@tabler/icons/tabler-nodes-${style}.json`), 'utf8')) as Drawings
const code = iconModule(importedIcons(sources), {
  outline: readDrawings('outline'),
  filled: readDrawings('filled'),
})
writeFileSync(join(web, 'ui/icons/icons.ts'), code)
copyFileSync(toolPath('icons', '@tabler/icons/LICENSE'), join(web, 'ui/icons/LICENSE'))
