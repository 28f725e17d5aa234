import { api } from '../../api/client.ts';
import { showFailure } from '../../ui/toast.tsx';
/** Downloads the primary file of a build. The server sends it as an attachment, so the page stays. */
export async function downloadBuild(applicationId, buildId) {
    try {
        const { primary_file: file } = await api.getBuildDownload({
            application_id: applicationId,
            build_id: buildId,
        });
        startDownload(file.temp_url);
    }
    catch (error) {
        showFailure(error);
    }
}
/** Lets the browser download a file from a signed URL. */
export function startDownload(url) {
    const link = document.createElement('a');
    link.href = url;
    link.rel = 'noreferrer';
    link.click();
}
