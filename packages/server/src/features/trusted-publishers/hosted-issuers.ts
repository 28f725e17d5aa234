import { fits, textsOf, type ClaimRules, type Claims } from './claims.ts'

/** An issuer that gives tokens to everybody who opens an account: rules must say whose tokens they mean. */
export type HostedIssuer = {
  /** Claims of which one must be given without `*`, the ones that survive a change of name first. */
  pins: readonly string[]
  /** Names in `pins` that somebody else can take over after a rename. */
  names: Readonly<Record<string, string>>
  /** What the beginning of a `sub` must hold before the first `*`. */
  subject: { pinned: RegExp; example: string } | undefined
}

const github: HostedIssuer = {
  pins: ['repository_id', 'repository_owner_id', 'repository', 'repository_owner'],
  names: { repository: 'repository_id', repository_owner: 'repository_owner_id' },
  subject: { pinned: /^repo:[^*/:]+\/|(^|:)repository(_owner)?_id:\d+:/, example: 'repo:owner/name:*' },
}

const gitlab: HostedIssuer = {
  pins: ['project_id', 'namespace_id', 'project_path', 'namespace_path'],
  names: { project_path: 'project_id', namespace_path: 'namespace_id' },
  subject: { pinned: /^project_path:[^*/:]+\//, example: 'project_path:group/project:*' },
}

const buildkite: HostedIssuer = {
  pins: ['organization_id', 'pipeline_id', 'organization_slug'],
  names: { organization_slug: 'organization_id' },
  subject: { pinned: /^organization:[^*:]+:/, example: 'organization:acme:pipeline:app:*' },
}

/** By host: hosted GitHub of one company (SUBDOMAIN.ghe.com) has its own host, but the same claims. */
export function hostedIssuer(issuer: string): HostedIssuer | undefined {
  const { hostname } = new URL(issuer)
  if (hostname === 'token.actions.githubusercontent.com') return github
  if (/^token\.actions\..+\.ghe\.com$/.test(hostname)) return github
  if (hostname === 'gitlab.com') return gitlab
  return hostname === 'agent.buildkite.com' ? buildkite : undefined
}

const kinds = [github, gitlab, buildkite]

export function isPinned({ pins, subject }: HostedIssuer, rules: ClaimRules): boolean {
  const isExact = (name: string) => textsOfRule(rules, name).every((text) => !text.includes('*'))
  if (pins.some((name) => Object.hasOwn(rules, name) && isExact(name))) return true
  if (!Object.hasOwn(rules, 'sub') || subject === undefined) return false
  return textsOfRule(rules, 'sub').every((text) => {
    const [beginning = '', ...rest] = text.split('*')
    return rest.length === 0 || subject.pinned.test(beginning)
  })
}

// GitHub's default since June 2026: names with the ids behind them
const immutableSubject = /^repo:[^*/:@]+@\d+\//

/** What a careful person would do better about this rule; empty when there is nothing. */
export function warningsOf(issuer: string, rules: ClaimRules): string[] {
  const hosted = hostedIssuer(issuer)
  if (hosted === undefined) return []
  const has = (name: string) => Object.hasOwn(rules, name)
  const hasId = hosted.pins.some((name) => !Object.hasOwn(hosted.names, name) && has(name))
  if (hasId || textsOfRule(rules, 'sub').some((text) => immutableSubject.test(text))) return []
  const names = Object.keys(hosted.names).filter(has)
  const named = names.length === 0 ? 'sub' : names.join(' and ')
  const ids = names.length === 0 ? hosted.pins.slice(0, 1) : names.map((name) => hosted.names[name] ?? '')
  return [
    `After a rename or a deletion somebody else can take a name over, and is trusted then: besides ${named}, ask for ${ids.join(' and ')}.`,
  ]
}

/** True where token and rule name the same repository, project or owner: its author may be told what else is wrong. */
export function isAkin(rules: ClaimRules, claims: Claims): boolean {
  const pins = kinds.flatMap((kind) => kind.pins)
  const agree = (name: string) =>
    textsOfRule(rules, name).some((pattern) => textsOf(claims, name).some((text) => fits(pattern, text)))
  return pins.some((name) => Object.hasOwn(rules, name) && agree(name)) || hasSameHome(rules, claims)
}

/** Where a `sub` comes from: `repo:owner/name`, `project_path:group/project`, `organization:acme`. */
const home = /^((?:repo|project_path|organization):[^:*]+):/

function hasSameHome(rules: ClaimRules, claims: Claims): boolean {
  const homes = new Set(textsOf(claims, 'sub').map((text) => home.exec(text)?.[1]))
  return textsOfRule(rules, 'sub').some((text) => {
    const [, own] = home.exec(text) ?? []
    return own !== undefined && homes.has(own)
  })
}

function textsOfRule(rules: ClaimRules, name: string): readonly string[] {
  const wanted = Object.hasOwn(rules, name) ? rules[name] : undefined
  return wanted === undefined ? [] : typeof wanted === 'string' ? [wanted] : wanted
}
