export type Release = { version: string; description: string; homepage: string }

export const packageName = 'quayside-server'
const maintainer = 'Quayside contributors <quayside@users.noreply.github.com>'

/** A pre-release sorts before its release in Debian only with a tilde. */
export const debianVersion = (version: string): string => version.replace('-', '~')

/** The libraries that Node and PostgreSQL load from the system, and what the installation runs. */
const dependencies = [
  'libc6 (>= 2.28)',
  'libgcc-s1',
  'libstdc++6 (>= 10)',
  'systemd | systemd-standalone-sysusers',
  'default-dbus-system-bus | dbus-system-bus',
]

const longDescription = `CI systems and people upload builds of software for any platform; testers,
customers and scripts download them. The package contains the server with its
console, documentation and command line, Node and PostgreSQL, and runs as a
systemd service.`

/** Returns the control file of the package. */
export const controlFile = (release: Release, architecture: string, installedBytes: number): string =>
  `Package: ${packageName}
Version: ${debianVersion(release.version)}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${Math.ceil(installedBytes / 1024)}
Depends: ${dependencies.join(', ')}
Suggests: caddy | nginx
Section: net
Priority: optional
Homepage: ${release.homepage}
Description: ${synopsis(release.description)}
${longDescription.replaceAll(/^/gm, ' ')}
`

/** Debian starts a synopsis with a lower-case letter and has no period. */
const synopsis = (description: string): string =>
  `${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '')}`

/** Returns the changelog in the format of Debian, which refers to the release notes. */
export const debianChangelog = (version: string, date: Date): string =>
  `${packageName} (${debianVersion(version)}) stable; urgency=medium

  * Release ${version}. CHANGELOG.md.gz in this folder lists the changes.

 -- ${maintainer}  ${date.toUTCString().replace('GMT', '+0000')}
`
