import envCi from 'env-ci'
import { additionalSources } from './additional-sources.ts'
import type { CiMetadata, Env } from './ci-metadata.ts'
import { envCiSources } from './env-ci-sources.ts'
import { unlistedSources } from './unlisted-sources.ts'
import { withPerforce } from './version-control.ts'

/** The origin of a build: an upload source slug and the CI metadata. */
export type CiRun = CiMetadata & { source: string }

/**
 * Reads the CI service, run, branch, tag, commit and repository from the environment. The source is `cli-upload`
 * outside CI and for CI services without their own slug.
 */
export function detectCi(env: Env): CiRun {
  return withPerforce(detectRun(env), env)
}

function detectRun(env: Env): CiRun {
  const additional = [...unlistedSources, ...additionalSources].find((service) => service.detect(env))
  if (additional) return { source: additional.source, ...removeUnknown(additional.metadata(env)) }
  const detected = readEnvCi(env)
  if (detected.service === undefined) return { source: 'cli-upload' }
  const service = envCiSources[detected.service]
  return {
    source: service?.source ?? 'cli-upload',
    ...removeUnknown({
      runId: detected.build,
      runUrl: detected.buildUrl,
      branch: detected.prBranch ?? detected.branch,
      tag: detected.tag,
      commit: detected.commit,
      repoName: detected.slug,
    }),
    ...removeUnknown(service?.metadata(env) ?? {}),
  }
}

function readEnvCi(env: Env): ReturnType<typeof envCi> {
  try {
    // For some services, env-ci also reads a Git repository. The root folder keeps it from reading an unrelated one.
    return envCi({ env, cwd: '/' })
  } catch {
    // For some services, env-ci throws when an expected variable is missing.
    return { isCi: true }
  }
}

/** Removes missing values. Keeps empty strings, which override the corresponding value from env-ci. */
function removeUnknown(metadata: CiMetadata): CiMetadata {
  const entries = Object.entries(metadata).filter(([, value]) => {
    // env-ci does not check whether the variables in a URL are set, so a URL can contain `undefined`.
    return value !== undefined && !(typeof value === 'string' && /(^|\/)undefined(\/|$|\?)/.test(value))
  })
  return Object.fromEntries(entries)
}
