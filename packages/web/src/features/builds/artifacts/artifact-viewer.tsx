import { Text } from '@mantine/core'
import type { FullBuild, MetadataArtifact } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { buildText } from '../../../text/builds/build.ts'
import { formatBytes } from '../../../ui/format/bytes.ts'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import { TabSkeleton } from '../details/tab-skeleton.tsx'
import { artifactContentQuery, maxShownBytes, type ArtifactContent } from './artifact.queries.ts'
import classes from './artifacts.module.css'
import { parseTestReport } from './parse-test-report.ts'
import { SbomTable } from './sbom-table.tsx'
import { parseSbom } from './sbom.ts'
import { TestReport } from './test-report.tsx'

type Props = { artifact: MetadataArtifact; build: FullBuild }

/** Shows the content of an artifact in the form that its format calls for. */
export function ArtifactViewer({ artifact, build }: Props) {
  const owner = { applicationId: build.application_id, buildId: build.id }
  const { data: content, error, refetch } = useQuery(artifactContentQuery(owner, artifact))
  if (error !== null) return <FailureBanner error={error} onRetry={() => void refetch()} />
  if (content === undefined) return <TabSkeleton />
  if (content.isBinary)
    return (
      <Text fz="sm" c="dimmed">
        {buildText.artifacts.notText}
      </Text>
    )
  return (
    <>
      <Content content={content} filename={artifact.filename} />
      {content.isCut && (
        <Text mt="xs" fz="xs" c="dimmed">
          {buildText.artifacts.tooLong(formatBytes(maxShownBytes))}
        </Text>
      )}
    </>
  )
}

function Content({ content: { text, isCut }, filename }: { content: ArtifactContent; filename: string }) {
  const suites = isCut ? undefined : parseTestReport(text)
  if (suites !== undefined) return <TestReport suites={suites} />
  const sbom = isCut ? undefined : parseSbom(text)
  if (sbom !== undefined) return <SbomTable sbom={sbom} />
  return (
    <pre className={classes.text} tabIndex={0} aria-label={`Content of ${filename}`}>
      {filename.endsWith('.json') && !isCut ? formatJson(text) : text}
    </pre>
  )
}

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
