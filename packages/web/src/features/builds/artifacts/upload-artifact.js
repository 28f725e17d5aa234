import { api } from '../../../api/client.ts';
/** Adds a file to the artifacts of a build. Reports the progress as a share between 0 and 1. */
export async function uploadArtifact(buildId, file, onProgress) {
    const { metadata_pending_upload_id: uploadId, presigned_upload_data: target } = await api.requestMetadataUpload({
        body: { build_id: buildId, filename: file.name, size_bytes: file.size },
    });
    await put(target, file, onProgress);
    await api.verifyMetadataUpload({ body: { pending_upload_id: uploadId } }, { idempotent: true });
}
/** Sends a file. Only XMLHttpRequest reports how much has been sent. */
function put({ url, headers }, file, onProgress) {
    return new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open('PUT', url);
        for (const [name, value] of Object.entries(headers))
            if (name.toLowerCase() !== 'content-length')
                request.setRequestHeader(name, value);
        request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded / Math.max(1, file.size)));
        request.addEventListener('load', () => request.status < 300
            ? resolve()
            : reject(new Error(`The file could not be stored (status ${request.status}). Try again.`)));
        request.addEventListener('error', () => reject(new Error('The connection was interrupted. Upload the file again.')));
        request.send(file);
    });
}
