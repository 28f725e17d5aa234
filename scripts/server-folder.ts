// Installs the packed server into a new folder, which images and packages contain:
//
//   node scripts/server-folder.ts /tmp/quayside arm64
import { join, resolve } from 'node:path'
import { installServerFromSource, type Cpu } from './package/install-server.ts'

const cpus: Record<string, Cpu | undefined> = { x64: 'x64', amd64: 'x64', arm64: 'arm64' }
const [folder, architecture = process.arch] = process.argv.slice(2)
const cpu = cpus[architecture]
if (folder === undefined || cpu === undefined) {
  console.error(`Usage: node scripts/server-folder.ts <folder> [${Object.keys(cpus).join('|')}]`)
  process.exitCode = 2
} else await installServerFromSource(join(import.meta.dirname, '..'), resolve(folder), cpu)
