import { targets } from '../executables/targets.ts'

export type ArtifactKind = {
  /** The label of the builds. */
  label: string
  platform: string
  architecture?: string
}

const executables = targets.map(({ name, platform, architecture }) => ({
  pattern: new RegExp(`-${name}\\.(tar\\.gz|zip)$`),
  kind: { label: 'command-line', platform: platformSlug(platform), architecture },
}))

/** Kinds in the order in which the download page lists them. The first matching pattern applies. */
const kinds: readonly { pattern: RegExp; kind: ArtifactKind }[] = [
  ...executables,
  { pattern: /_amd64\.deb$/, kind: { label: 'server', platform: 'debian', architecture: 'x64' } },
  { pattern: /_arm64\.deb$/, kind: { label: 'server', platform: 'debian', architecture: 'arm64v8' } },
  { pattern: /^quayside-chart-.*\.tgz$/, kind: { label: 'server', platform: 'generic' } },
  { pattern: /^install\./, kind: { label: 'installer', platform: 'generic' } },
  {
    pattern: /^quayside-(cli|embedded-postgres|sdk|server)-.*\.tgz$/,
    kind: { label: 'npm-package', platform: 'generic' },
  },
  { pattern: /^SHA256SUMS|^quayside\.(pub|signers)$/, kind: { label: 'signature', platform: 'generic' } },
  { pattern: /\.(cdx|spdx)\.json$/, kind: { label: 'sbom', platform: 'generic' } },
  { pattern: /\.intoto\.json$/, kind: { label: 'provenance', platform: 'generic' } },
  { pattern: /\.md$/, kind: { label: 'documentation', platform: 'generic' } },
]
const otherKind: ArtifactKind = { label: 'other', platform: 'generic' }

/** Returns the kind of an artifact and its position on the download page. */
export function kindOf(name: string): { kind: ArtifactKind; position: number } {
  const index = kinds.findIndex(({ pattern }) => pattern.test(name))
  return { kind: kinds[index]?.kind ?? otherKind, position: index === -1 ? kinds.length : index }
}

function platformSlug(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'macos'
  return platform === 'win32' ? 'windows' : platform
}

/** The platforms of the application. */
export const platforms: readonly string[] = [...new Set(kinds.map(({ kind }) => kind.platform))]
