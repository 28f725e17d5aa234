// Builds the Debian packages of the server into a folder:
//
//   node scripts/debian-package.ts <folder> [amd64|arm64]
//
// SOURCE_DATE_EPOCH sets the time of all files; without it, this is the time of the commit.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildDebianPackages, type DebianArchitecture } from './debian/build-debian-packages.ts'
import { packServer } from './package/pack-server.ts'

const root = join(import.meta.dirname, '..')
const [target, architecture] = process.argv.slice(2)
const known: DebianArchitecture[] = ['amd64', 'arm64']
const architectures = known.filter((name) => architecture === undefined || name === architecture)
if (target === undefined || architectures.length === 0) {
  console.error('Usage: node scripts/debian-package.ts <folder> [amd64|arm64]')
  process.exit(2)
}
const commitTime = () => execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' })
const date = new Date(Number(process.env['SOURCE_DATE_EPOCH'] ?? commitTime()) * 1000)
const folder = resolve(target)
mkdirSync(folder, { recursive: true })
const temporary = mkdtempSync(join(tmpdir(), 'quayside-pack-'))
try {
  const tarball = await packServer(root, temporary)
  for (const { path, sizeBytes } of await buildDebianPackages(root, folder, {
    tarball,
    architectures,
    date,
  }))
    console.log(`${path}  ${(sizeBytes / 1e6).toFixed(1)} MB`)
} finally {
  rmSync(temporary, { recursive: true })
}
