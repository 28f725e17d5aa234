import { appcenter } from './appcenter.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import type { ReleaseService } from './release-source.ts'
import { s3 } from './s3.ts'
import { zealot } from './zealot.ts'

/** The services that `--from` can name. */
export const releaseServices = { github, gitlab, gitea, zealot, s3, appcenter } satisfies Record<
  string,
  ReleaseService
>
export type ReleaseServiceName = keyof typeof releaseServices

/** The environment variables with the token of each service, in order of precedence. */
export const tokenVariables: Record<ReleaseServiceName, string[]> = {
  github: ['GITHUB_TOKEN', 'GH_TOKEN'],
  gitlab: ['GITLAB_TOKEN'],
  gitea: ['GITEA_TOKEN'],
  zealot: ['ZEALOT_TOKEN'],
  s3: [],
  appcenter: [],
}
