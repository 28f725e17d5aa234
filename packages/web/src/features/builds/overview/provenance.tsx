import type { FullBuild } from '@quayside/sdk'
import { Copyable } from '../../../ui/copyable.tsx'
import { Fact, FactList } from '../../../ui/fact-list.tsx'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { SourceRun } from '../build-cells.tsx'

/** Where a build comes from: the source code and the CI run. */
export function Provenance({ build }: { build: FullBuild }) {
  const { scm, ci_pipeline: pipeline, links } = build
  const repository = scm.scm_repo_name
  const sha = scm.scm_commit_sha
  return (
    <Section title="Source">
      <FactList>
        <Fact name="Repository">{repository !== null && linked(links.scm_repo_url, repository)}</Fact>
        <Fact name="Branch">
          {scm.scm_branch !== null && <Copyable value={scm.scm_branch} label="branch" />}
        </Fact>
        <Fact name="Commit">
          {sha !== null && (
            <>
              <Copyable value={sha} label="commit" mono>
                {sha.slice(0, 12)}
              </Copyable>{' '}
              {links.scm_commit_url !== null && linked(links.scm_commit_url, 'View')}
            </>
          )}
        </Fact>
        <Fact name="Uploaded from">
          <SourceRun build={build} />
        </Fact>
        <Fact name="Pipeline">
          {pipeline.ci_pipeline_name !== null && linked(links.ci_pipeline_url, pipeline.ci_pipeline_name)}
        </Fact>
        <Fact name="Duration">{pipeline.ci_build_duration}</Fact>
        <Fact name="Built">{build.built_at !== null && <RelativeTime time={build.built_at} />}</Fact>
        <Fact name="Build ID">
          <Copyable value={build.id} label="build ID" mono />
        </Fact>
      </FactList>
    </Section>
  )
}

const linked = (url: string | null, text: string) =>
  url === null ? (
    text
  ) : (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {text}
    </a>
  )
