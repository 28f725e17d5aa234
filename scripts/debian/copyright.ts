import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describePackage, type LicensedPackage } from '../package/licensed-package.ts'

/** Files with packages: either one npm package, or the packages that a bundle contains. */
type Part = { path: string; packages: LicensedPackage[] }

/** Returns the copyright file of the package: the license of Quayside and of every npm package that `folder` contains. */
export function copyrightFile(folder: string, homepage: string, year: number): string {
  const parts = [...listBundles(folder), ...listInstalled(folder)]
  const licenses = parts.flatMap(({ packages }) => licensesOf(packages))
  return [
    `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Quayside
Source: ${homepage}
`,
    `Files: *
Copyright: ${year} Quayside contributors
License: ${ownLicense}
`,
    ...parts.map(paragraph),
    ...[...new Set([ownLicense, ...licenses])]
      .toSorted()
      .map((license) => `License: ${license}\n${licenseText(license)}\n`),
  ].join('\n')
}

const ownLicense = 'Apache-2.0'

/** The build writes the list of its packages beside each bundle. */
const listBundles = (folder: string): Part[] =>
  globSync('{bundle,built/*}/*packages.json', { cwd: folder })
    .toSorted()
    .map((list) => ({
      path: list.replace(/\.?packages\.json$/, (end) => (end.startsWith('.') ? '' : '*')),
      packages: JSON.parse(readFileSync(join(folder, list), 'utf8')) as LicensedPackage[],
    }))

const listInstalled = (folder: string): Part[] =>
  globSync('node_modules/{*,@*/*}/package.json', { cwd: folder })
    .toSorted()
    .map(dirname)
    .map((path) => ({ path: `${path}/*`, packages: [describePackage(join(folder, path))] }))

const licensesOf = (packages: readonly LicensedPackage[]): string[] =>
  [...new Set(packages.map(({ license }) => license))].toSorted()

const paragraph = ({ path, packages }: Part): string => `Files: usr/lib/quayside/${path}
Copyright: ${[...new Set(packages.map(({ author }) => author))].join('\n           ')}
License: ${licensesOf(packages).join(' and ')}
${packages.length > 1 ? contents(packages) : ''}`

const contents = (packages: readonly LicensedPackage[]): string =>
  `Comment: These packages are part of it:\n${packages
    .map(({ name, version, license }) => ` ${name} ${version} (${license})\n`)
    .join('')}`

const licenseText = (license: string): string =>
  license === 'Apache-2.0'
    ? ' On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0.'
    : ' The text is in the folder of the package, or at the end of the file that contains it.'
