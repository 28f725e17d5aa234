// Builds the package in the current folder for `npm pack` and `npm publish`: JavaScript, types and the license.
import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { programPath } from './tools/programs.ts'
import { installTools } from './tools/tool-sets.ts'

installTools('check')
rmSync('dist', { recursive: true, force: true })
execFileSync(process.execPath, [programPath('tsc'), '--project', 'tsconfig.build.json'], { stdio: 'inherit' })
copyFileSync(join(import.meta.dirname, '../LICENSE'), 'LICENSE')
