import { claimTexts, matchesPattern, type ClaimRules, type Claims } from './claims.ts'

/** An issuer from which anyone with an account can obtain tokens, so a rule must restrict whose tokens it trusts. */
export type HostedIssuer = {
  /**
   * Claims that identify the source of a token. A rule must require an exact value for at least one of them, unless it
   * restricts `sub`. Claims whose values survive a rename come first.
   */
  pins: readonly string[]
  /**
   * For each claim in `pins` whose value someone else can take over after a rename, the claim that contains the
   * permanent ID.
   */
  idClaims: Readonly<Record<string, string>>
  /** The text that a `sub` pattern must contain before its first `*`. */
  subject: { pinned: RegExp; example: string } | undefined
}

const github: HostedIssuer = {
  pins: ['repository_id', 'repository_owner_id', 'repository', 'repository_owner'],
  idClaims: { repository: 'repository_id', repository_owner: 'repository_owner_id' },
  subject: { pinned: /^repo:[^*/:]+\/|(^|:)repository(_owner)?_id:\d+:/, example: 'repo:owner/name:*' },
}

const gitlab: HostedIssuer = {
  pins: ['project_id', 'namespace_id', 'project_path', 'namespace_path'],
  idClaims: { project_path: 'project_id', namespace_path: 'namespace_id' },
  subject: { pinned: /^project_path:[^*/:]+\//, example: 'project_path:group/project:*' },
}

const buildkite: HostedIssuer = {
  pins: ['organization_id', 'pipeline_id', 'organization_slug'],
  idClaims: { organization_slug: 'organization_id' },
  subject: { pinned: /^organization:[^*:]+:/, example: 'organization:acme:pipeline:app:*' },
}

/** Finds the issuer by host. GitHub Enterprise Cloud (SUBDOMAIN.ghe.com) has other hosts but the same claims. */
export function hostedIssuer(issuer: string): HostedIssuer | undefined {
  const { hostname } = new URL(issuer)
  if (hostname === 'token.actions.githubusercontent.com') return github
  if (/^token\.actions\..+\.ghe\.com$/.test(hostname)) return github
  if (hostname === 'gitlab.com') return gitlab
  return hostname === 'agent.buildkite.com' ? buildkite : undefined
}

const allHosted = [github, gitlab, buildkite]

/** Returns whether the rules accept only tokens from specific owners, repositories, projects or organizations. */
export function isPinned({ pins, subject }: HostedIssuer, rules: ClaimRules): boolean {
  const isExact = (name: string) => rulePatterns(rules, name).every((text) => !text.includes('*'))
  if (pins.some((name) => Object.hasOwn(rules, name) && isExact(name))) return true
  if (!Object.hasOwn(rules, 'sub') || subject === undefined) return false
  return rulePatterns(rules, 'sub').every((text) => {
    const [prefix = '', ...rest] = text.split('*')
    return rest.length === 0 || subject.pinned.test(prefix)
  })
}

// The default `sub` of newer GitHub repositories. Each name is followed by its immutable ID.
const immutableSubject = /^repo:[^*/:@]+@\d+\//

/** Returns recommendations that would make the rule safer. */
export function ruleWarnings(issuer: string, rules: ClaimRules): string[] {
  const hosted = hostedIssuer(issuer)
  if (hosted === undefined) return []
  const has = (name: string) => Object.hasOwn(rules, name)
  const hasId = hosted.pins.some((name) => !Object.hasOwn(hosted.idClaims, name) && has(name))
  if (hasId || rulePatterns(rules, 'sub').some((text) => immutableSubject.test(text))) return []
  const names = Object.keys(hosted.idClaims).filter(has)
  const named = names.length === 0 ? 'sub' : names.join(' and ')
  const ids = names.length === 0 ? hosted.pins.slice(0, 1) : names.map((name) => hosted.idClaims[name] ?? '')
  return [
    `After a rename or deletion, someone else can take over the name and would then be trusted. In addition to ${named}, require ${ids.join(' and ')}.`,
  ]
}

/** Returns whether the token and the rule name the same source. If so, the error may list the claims that differ. */
export function namesSameSource(rules: ClaimRules, claims: Claims): boolean {
  const pins = allHosted.flatMap((hosted) => hosted.pins)
  const matches = (name: string) =>
    rulePatterns(rules, name).some((pattern) =>
      claimTexts(claims, name).some((text) => matchesPattern(pattern, text)),
    )
  return (
    pins.some((name) => Object.hasOwn(rules, name) && matches(name)) || hasSameSubjectSource(rules, claims)
  )
}

/** The source in a `sub`: `repo:owner/name`, `project_path:group/project` or `organization:acme`. */
const subjectSource = /^((?:repo|project_path|organization):[^:*]+):/

function hasSameSubjectSource(rules: ClaimRules, claims: Claims): boolean {
  const sources = new Set(claimTexts(claims, 'sub').map((text) => subjectSource.exec(text)?.[1]))
  return rulePatterns(rules, 'sub').some((text) => {
    const [, source] = subjectSource.exec(text) ?? []
    return source !== undefined && sources.has(source)
  })
}

function rulePatterns(rules: ClaimRules, name: string): readonly string[] {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
  return rule === undefined ? [] : typeof rule === 'string' ? [rule] : rule
}
