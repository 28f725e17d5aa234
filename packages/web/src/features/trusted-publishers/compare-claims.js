import { patternsOf } from './publisher-form.ts';
/** Returns the claims of a JSON Web Token without verifying its signature. Undefined if it is not such a token. */
export function decodeClaims(token) {
    const [, payload, signature, rest] = token.trim().split('.');
    if (payload === undefined || signature === undefined || rest !== undefined)
        return undefined;
    try {
        const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
        const claims = JSON.parse(new TextDecoder().decode(bytes));
        return typeof claims === 'object' && claims !== null ? claims : undefined;
    }
    catch {
        return undefined;
    }
}
/** Compares the issuer, the audience and every required claim of a publisher with the claims of a token. */
export function compareClaims({ issuer, audience, claims: rules }, claims) {
    return Object.entries({ iss: issuer, aud: audience, ...rules }).map(([name, rule]) => {
        const isExact = name === 'iss' || name === 'aud';
        const texts = textsOf(claims[name]);
        const patterns = patternsOf(rule);
        const matches = (text) => patterns.some((pattern) => (isExact ? pattern === text : isPatternMatch(pattern, text)));
        return {
            name,
            required: patterns.join(' or '),
            actual: texts.length === 0 ? 'missing' : texts.join(', '),
            isMatch: texts.some(matches),
        };
    });
}
function textsOf(value) {
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((each) => typeof each === 'string'
        ? [each]
        : typeof each === 'number' || typeof each === 'boolean'
            ? [String(each)]
            : []);
}
function isPatternMatch(pattern, text) {
    const source = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw `\$&`).replaceAll('*', '.*');
    return new RegExp(`^${source}$`, 's').test(text);
}
