import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readLicense } from '../package/license.ts'

type Manifest = { author?: string | { name?: string } }

/** Returns the copyright file of the package: the license of Quayside and of every npm package in `folder`. */
export async function copyrightFile(folder: string, homepage: string, year: number): Promise<string> {
  const packages = await listPackages(folder, 'node_modules')
  const others = packages.map(
    ({ path, license, author }) => `Files: usr/lib/quayside/${path}/*
Copyright: ${author}
License: ${license}
`,
  )
  const licenses = [...new Set(packages.map(({ license }) => license))].toSorted()
  return [
    `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Quayside
Source: ${homepage}
`,
    `Files: *
Copyright: ${year} Quayside contributors
License: Apache-2.0
`,
    ...others,
    ...licenses.map((license) => `License: ${license}\n${licenseText(license)}\n`),
  ].join('\n')
}

const licenseText = (license: string): string =>
  license === 'Apache-2.0'
    ? ' On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0.'
    : ' The text is in the folder of the package.'

async function listPackages(folder: string, modules: string) {
  const found: { path: string; license: string; author: string }[] = []
  const entries = await readdir(join(folder, modules), { withFileTypes: true })
  for (const { name } of entries.filter((entry) => entry.isDirectory()).toSorted(byName)) {
    const path = join(modules, name)
    if (name === '.bin') continue
    if (name.startsWith('@')) {
      found.push(...(await listPackages(folder, path)))
      continue
    }
    const { author } = JSON.parse(await readFile(join(folder, path, 'package.json'), 'utf8')) as Manifest
    const { name: license } = readLicense(join(folder, path))
    const person = typeof author === 'string' ? author : author?.name
    found.push({ path, license, author: person ?? `The contributors of ${name}` })
    if ((await readdir(join(folder, path))).includes('node_modules'))
      found.push(...(await listPackages(folder, join(path, 'node_modules'))))
  }
  return found
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1)
