import { QuaysideError } from '@quayside/sdk';
import { ConnectionError, putBlob } from './put-blob.ts';
import { BusyError, retryUntilDone } from './retry-until-done.ts';
/** Thrown if the file on disk was changed, moved or deleted. */
export class FileGoneError extends Error {
    name = 'FileGoneError';
}
const partsAtOnce = 3;
const maxRejections = 5;
/**
 * Sends the parts of a file that storage does not have, several at a time. Returns the ETags of all parts in order, or
 * undefined if the file is sent as a whole or the browser may not read ETags.
 */
export async function sendParts(remote, sending) {
    const parts = planParts(remote);
    const etags = new Map(remote.parts.map(({ part_number: number, etag }) => [number, etag]));
    const isStored = ({ number, sizeBytes }) => number === 0
        ? remote.stored
        : remote.parts.some((part) => part.part_number === number && part.size_bytes === sizeBytes);
    let storedBytes = sum(parts.filter(isStored));
    const inFlight = new Map();
    const report = () => sending.onSent(storedBytes + [...inFlight.values()].reduce((a, b) => a + b, 0));
    report();
    const remaining = parts.filter((part) => !isStored(part)).values();
    const stop = new AbortController();
    const signal = AbortSignal.any([sending.signal, stop.signal]);
    async function work() {
        for (const part of remaining) {
            const onProgress = (bytes) => {
                inFlight.set(part.number, Math.min(bytes, part.sizeBytes));
                report();
            };
            try {
                const etag = await sendPart(part, { ...sending, signal }, onProgress);
                if (etag !== null)
                    etags.set(part.number, etag);
                storedBytes += part.sizeBytes;
            }
            catch (error) {
                // The other parts of the file stop with the first failure.
                stop.abort(error);
                throw error;
            }
            finally {
                inFlight.delete(part.number);
                report();
            }
        }
    }
    const results = await Promise.allSettled(Array.from({ length: partsAtOnce }, work));
    sending.signal.throwIfAborted();
    stop.signal.throwIfAborted();
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined)
        throw failed.reason;
    const list = parts.map(({ number }) => etags.get(number));
    return remote.chunked_part_size_mb === null || list.includes(undefined) ? undefined : list;
}
async function sendPart(part, sending, onProgress) {
    const { slots, order, signal, onWait, file } = sending;
    let rejections = 0;
    const attempt = () => slots.run(order, signal, async () => {
        try {
            const { url, headers } = await signPart(part, sending);
            const blob = file.slice(part.start, part.start + part.sizeBytes);
            const response = await putBlob({ url, headers, blob, signal, onProgress });
            if (response.status >= 200 && response.status < 300)
                return response.etag;
            throw refusal(response, ++rejections);
        }
        catch (error) {
            onProgress(0);
            if (error instanceof ConnectionError)
                await requireReadable(file);
            throw error;
        }
    });
    return retryUntilDone(attempt, { signal, onWait });
}
async function signPart(part, sending) {
    if (part.number === 0)
        return sending.signWhole();
    const { client, pendingUploadId: id, signal } = sending;
    const body = { pending_upload_id: id, part_number: part.number, content_length: part.sizeBytes };
    const { part_presigned_url: url } = await client.requestUploadPart({ body }, { signal, idempotent: true });
    return { url, headers: {} };
}
/** A rejected signature may have expired, so the first rejections are retried with a new URL. */
function refusal({ status, message, retryAfter }, rejections) {
    const text = message === '' ? `Storage responded with status ${status}.` : message;
    const isBusy = status === 429 || status === 503;
    const isRetryable = status === 403 || status === 408 || (status >= 500 && status !== 507);
    if (isBusy || (isRetryable && rejections < maxRejections))
        return new BusyError(text, retryAfter);
    return new QuaysideError(status, text);
}
/** Browsers report a file that changed on disk as a network error. */
async function requireReadable(file) {
    try {
        await file.slice(0, 1).arrayBuffer();
    }
    catch (error) {
        throw new FileGoneError(undefined, { cause: error });
    }
}
function planParts({ size_bytes: sizeBytes, chunked_part_size_mb: partSizeMb }) {
    if (partSizeMb === null)
        return [{ number: 0, start: 0, sizeBytes }];
    const partBytes = partSizeMb * 1024 * 1024;
    return Array.from({ length: Math.ceil(sizeBytes / partBytes) }, (_, index) => {
        const start = index * partBytes;
        return { number: index + 1, start, sizeBytes: Math.min(partBytes, sizeBytes - start) };
    });
}
const sum = (parts) => parts.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
