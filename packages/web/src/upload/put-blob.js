/** Thrown if the connection breaks while bytes are sent or before the response arrives. */
export class ConnectionError extends Error {
    name = 'ConnectionError';
}
const idleTimeoutMs = 45000;
// Storage may need minutes to flush gigabytes to disk after the last byte has arrived.
const responseTimeoutMs = 15 * 60000;
/**
 * Sends bytes to a signed URL. Uses XMLHttpRequest, because fetch does not report the progress of a request. The browser
 * reads the blob from disk as it sends it.
 */
export function putBlob({ url, headers, blob, signal, onProgress }) {
    return new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const request = new XMLHttpRequest();
        let timer;
        const stop = () => request.abort();
        const fail = (reason) => {
            reject(new ConnectionError(reason));
            stop();
        };
        // Without this event, a lost connection would be noticed only after the timeout.
        const onOffline = () => fail('the browser is offline');
        const restartTimer = (ms) => {
            clearTimeout(timer);
            timer = setTimeout(() => fail(`no data was sent for ${Math.round(ms / 1000)} s`), ms);
        };
        request.open('PUT', url);
        for (const [name, value] of Object.entries(headers))
            if (name.toLowerCase() !== 'content-length')
                request.setRequestHeader(name, value);
        request.upload.addEventListener('progress', ({ loaded }) => {
            onProgress(loaded);
            restartTimer(loaded < blob.size ? idleTimeoutMs : responseTimeoutMs);
        });
        request.addEventListener('load', () => resolve({
            status: request.status,
            etag: request.getResponseHeader('etag'),
            message: messageOf(request.responseText),
            retryAfter: request.getResponseHeader('retry-after'),
        }));
        request.addEventListener('error', () => reject(new ConnectionError('the connection was closed')));
        request.addEventListener('abort', () => reject(signal.reason));
        request.addEventListener('loadend', () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', stop);
            window.removeEventListener('offline', onOffline);
        });
        signal.addEventListener('abort', stop);
        window.addEventListener('offline', onOffline);
        restartTimer(idleTimeoutMs);
        request.send(blob);
    });
}
/** Returns the message of an error response: `message` in JSON or `<Message>` in the XML of S3. */
function messageOf(body) {
    const xml = /<Message>([^<]*)<\/Message>/.exec(body)?.[1];
    if (xml !== undefined)
        return xml;
    try {
        const value = JSON.parse(body);
        if (typeof value === 'object' && value !== null && 'message' in value)
            return String(value.message);
    }
    catch {
        // The body is not JSON.
    }
    return '';
}
