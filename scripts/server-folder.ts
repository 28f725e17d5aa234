// Installs the packed server into a new folder, which images and packages contain:
//
//   node scripts/server-folder.ts <folder> [amd64|arm64] [folder of a release]
//
// Without the packages of a release, the server is packed from the source.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { installServer, type Cpu } from './package/install-server.ts'
import { findPackedServer, packServer } from './package/pack-server.ts'

const cpus: Record<string, Cpu | undefined> = { x64: 'x64', amd64: 'x64', arm64: 'arm64' }
const root = join(import.meta.dirname, '..')
const [folder, architecture = process.arch, release] = process.argv.slice(2)
const cpu = cpus[architecture]
if (folder === undefined || cpu === undefined) {
  console.error('Usage: node scripts/server-folder.ts <folder> [amd64|arm64] [folder of a release]')
  process.exit(2)
}
const temporary = await mkdtemp(join(tmpdir(), 'quayside-pack-'))
try {
  const found = release === undefined ? undefined : findPackedServer(root, resolve(release))
  await installServer(root, found ?? (await packServer(root, temporary)), resolve(folder), cpu)
} finally {
  await rm(temporary, { recursive: true, force: true })
}
