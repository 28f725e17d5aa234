import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
/** The number of bytes of an artifact that the viewers read. */
export const maxShownBytes = 4 * 1024 * 1024;
/** The content of an artifact as text. Reading it counts as a download, so it is read once. */
export const artifactContentQuery = ({ applicationId, buildId }, artifact) => queryOptions({
    queryKey: ['artifact-content', artifact.id],
    staleTime: Number.POSITIVE_INFINITY,
    // Not cancelled when the viewer closes, because the server has then already counted the download.
    queryFn: async () => {
        const { temp_url: url } = await api.getBuildMetadataDownload({
            application_id: applicationId,
            build_id: buildId,
            artifact_id: artifact.id,
        });
        const isCut = artifact.size_bytes > maxShownBytes;
        const response = await fetch(url, {
            headers: isCut ? { range: `bytes=0-${maxShownBytes - 1}` } : {},
        });
        if (!response.ok)
            throw new Error(`The artifact could not be read (status ${response.status}).`);
        const bytes = new Uint8Array(await response.arrayBuffer());
        return { text: new TextDecoder().decode(bytes), isCut, isBinary: bytes.subarray(0, 8192).includes(0) };
    },
});
