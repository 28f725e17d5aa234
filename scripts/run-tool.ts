import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { isProgram, programEnvironment, programPath } from './tools/programs.ts'
import { installTools } from './tools/tool-sets.ts'

// node scripts/run-tool.ts oxfmt [argument …]      runs a program of scripts/tools/check, which is installed if necessary
const [name, ...args] = process.argv.slice(2)
if (!isProgram(name)) throw new Error(`${name} is not a program of scripts/tools/check`)
installTools('check')
const { status } = spawnSync(process.execPath, [programPath(name), ...args], {
  cwd: join(import.meta.dirname, '..'),
  env: { ...process.env, ...programEnvironment },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
