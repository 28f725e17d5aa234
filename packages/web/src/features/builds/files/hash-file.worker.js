import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
const progressMs = 100;
addEventListener('message', ({ data: file }) => {
    hash(file).catch((error) => report({ type: 'failed', message: String(error) }));
});
/** Hashes a file in pieces, so that files that are larger than the memory work too. */
async function hash(file) {
    const digest = sha256.create();
    const reader = file.stream().getReader();
    let hashedBytes = 0;
    let reportedAt = performance.now();
    for (;;) {
        const { done, value } = await reader.read();
        if (done)
            break;
        digest.update(value);
        hashedBytes += value.length;
        if (performance.now() - reportedAt < progressMs)
            continue;
        reportedAt = performance.now();
        report({ type: 'progress', hashedBytes });
    }
    report({ type: 'done', sha256: bytesToHex(digest.digest()) });
}
function report(message) {
    postMessage(message);
}
