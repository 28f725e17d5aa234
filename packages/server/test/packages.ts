import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run, runText } from './inspection/programs.ts'

type Files = Record<string, string>

function write(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}

/** Builds a Debian package of `harbor` with dpkg-deb. */
export function buildHarborDeb(folder: string, version: string, fields = ''): Buffer {
  const root = join(folder, `deb-${version}`)
  write(root, {
    'DEBIAN/control': `Package: harbor\nVersion: ${version}\nArchitecture: all\nMaintainer: Harbor <harbor@example.com>\n${fields}Description: A harbor\n With a second line.\n`,
    'usr/share/harbor/version': version,
  })
  const path = join(folder, `harbor-${version}.deb`)
  run('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', root, path])
  return readFileSync(path)
}

/** Builds an RPM package of `harbor` with rpmbuild. */
export function buildHarborRpm(folder: string, version: string): Buffer {
  const spec = join(folder, `harbor-${version}.spec`)
  writeFileSync(
    spec,
    `Name: harbor\nVersion: ${version}\nRelease: 1\nSummary: A <harbor> & more\nLicense: MIT\nBuildArch: noarch\n%description\nA harbor\n%install\nmkdir -p %{buildroot}/usr/share/harbor\necho ${version} > %{buildroot}/usr/share/harbor/version\n%files\n/usr/share/harbor/version\n`,
  )
  const top = join(folder, `rpm-${version}`)
  run('rpmbuild', ['--quiet', '-bb', '--define', `_topdir ${top}`, spec])
  const [path = ''] = runText('find', [join(top, 'RPMS'), '-name', '*.rpm']).split('\n')
  return readFileSync(path)
}

/** Runs a package manager and returns its exit code and everything that it prints. */
export const runClient = (program: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}) =>
  new Promise<{ code: number; text: string }>((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, LC_ALL: 'C.UTF-8', ...env } })
    let text = ''
    const add = (chunk: Buffer) => (text += chunk.toString())
    child.stdout.on('data', add)
    child.stderr.on('data', add)
    child.on('error', reject).on('close', (code) => resolve({ code: code ?? 1, text }))
  })
