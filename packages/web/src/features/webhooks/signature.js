const encoder = new TextEncoder();
const standardPrefix = 'whsec_';
const secretBytes = 24;
/** Returns a new secret as specified by Standard Webhooks. */
export const generateSecret = () => `${standardPrefix}${toBase64(crypto.getRandomValues(new Uint8Array(secretBytes)))}`;
/** Reads headers as they are printed by curl, browsers and logs: one `name: value` per line. */
export function parseHeaders(text) {
    const headers = new Map();
    for (const line of text.split(/\r?\n/)) {
        const match = /^\s*["']?(?:-H\s+["'])?([\w-]+)["']?\s*[:=]\s*["']?(.*?)["']?,?\s*\\?\s*$/.exec(line);
        if (match?.[1] !== undefined)
            headers.set(match[1].toLowerCase(), match[2] ?? '');
    }
    return headers;
}
/**
 * Returns whether a request was signed with the secret. Editors often append a newline to a pasted body, so the body is
 * also checked without it.
 */
export async function verifySignature({ headers, body, secret }) {
    const signatures = (headers.get('webhook-signature') ?? '').split(' ').filter((part) => part !== '');
    const plain = headers.get('x-webhook-signature');
    if (signatures.length === 0 && plain === undefined)
        return 'no-signature';
    const id = headers.get('webhook-id');
    const timestamp = headers.get('webhook-timestamp');
    if (signatures.length > 0 && (id === undefined || timestamp === undefined))
        return 'no-id';
    const standardKey = keyOf(secret);
    if (standardKey === undefined || secret === '')
        return 'bad-secret';
    const isSigned = async (text) => signatures.length > 0
        ? signatures.includes(`v1,${toBase64(await hmac(standardKey, `${id}.${timestamp}.${text}`))}`)
        : toHex(await hmac(encoder.encode(secret), text)) === plain?.toLowerCase();
    if (await isSigned(body))
        return 'valid';
    const trimmed = body.replace(/\r?\n$/, '');
    return trimmed !== body && (await isSigned(trimmed)) ? 'valid-without-newline' : 'wrong';
}
/** Returns the key of a secret: the decoded Base64 text after `whsec_`, or the bytes of any other secret. */
function keyOf(secret) {
    if (!secret.startsWith(standardPrefix))
        return encoder.encode(secret);
    try {
        return Uint8Array.from(atob(secret.slice(standardPrefix.length)), (char) => char.codePointAt(0) ?? 0);
    }
    catch {
        return undefined;
    }
}
async function hmac(key, text) {
    const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
        'sign',
    ]);
    return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)));
}
const toBase64 = (bytes) => btoa(String.fromCodePoint(...bytes));
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
