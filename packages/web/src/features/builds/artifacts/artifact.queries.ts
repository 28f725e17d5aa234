import type { MetadataArtifact } from '@quayside/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { artifactContentKey } from '../../../api/query-keys.ts'
import { buildText } from '../../../text/builds/build.ts'

type Owner = { applicationId: string; buildId: string }

/** The number of bytes of an artifact that the viewers read. */
export const maxShownBytes = 4 * 1024 * 1024

export type ArtifactContent = {
  text: string
  /** Whether the artifact is longer than what was read. */
  isCut: boolean
  /** Whether the bytes are not text. */
  isBinary: boolean
}

/** The content of an artifact as text. It never changes, so it is read once. */
export const artifactContentQuery = ({ applicationId, buildId }: Owner, artifact: MetadataArtifact) =>
  queryOptions({
    queryKey: artifactContentKey(artifact.id),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<ArtifactContent> => {
      const ids = { application_id: applicationId, build_id: buildId, artifact_id: artifact.id }
      const { temp_url: url } = await api.getBuildMetadataDownload({ ...ids, preview: true }, { signal })
      const isCut = artifact.size_bytes > maxShownBytes
      const response = await fetch(url, {
        signal,
        headers: isCut ? { range: `bytes=0-${maxShownBytes - 1}` } : {},
      })
      if (!response.ok) throw new Error(buildText.artifacts.unreadable(response.status))
      const bytes = new Uint8Array(await response.arrayBuffer())
      return { text: new TextDecoder().decode(bytes), isCut, isBinary: bytes.subarray(0, 8_192).includes(0) }
    },
  })
