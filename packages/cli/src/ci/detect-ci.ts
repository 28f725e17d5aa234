import envCi from 'env-ci'
import type { CiFacts, Env } from './ci-facts.ts'
import { furtherServices } from './further-ci.ts'
import { knownServices } from './known-ci.ts'

/** Where a build comes from: one of the 23 upload source slugs, and what the environment tells about the run. */
export type CiRun = CiFacts & { source: string; inCi: boolean }

/**
 * Reads the CI service, run, branch, tag, commit and repository from the environment. Outside CI, and in
 * services without a slug of their own, the source is `cli-upload`.
 */
export function detectCi(env: Env, cwd: string): CiRun {
  const further = furtherServices.find((service) => service.detect(env))
  if (further) return { source: further.source, inCi: true, ...told(further.facts(env)) }
  const known = readEnvCi(env, cwd)
  if (known.service === undefined) return { source: 'cli-upload', inCi: known.isCi }
  const service = knownServices[known.service]
  return {
    source: service?.source ?? 'cli-upload',
    inCi: true,
    ...told({
      runId: known.build,
      runUrl: known.buildUrl,
      branch: known.prBranch ?? known.branch,
      tag: known.tag,
      commit: known.commit,
      repoName: known.slug,
    }),
    ...told(service?.more(env) ?? {}),
  }
}

function readEnvCi(env: Env, cwd: string): ReturnType<typeof envCi> {
  try {
    return envCi({ env, cwd })
  } catch {
    // A few of its readers throw where a variable they count on is missing.
    return { isCi: true }
  }
}

/** Drops what is unknown; an empty text stays, because it says "none" over an earlier guess. */
function told(facts: CiFacts): CiFacts {
  const entries = Object.entries(facts).filter(([, value]) => {
    // env-ci joins its addresses without looking whether the variables are there.
    return value !== undefined && !(typeof value === 'string' && /(^|\/)undefined(\/|$|\?)/.test(value))
  })
  return Object.fromEntries(entries)
}
