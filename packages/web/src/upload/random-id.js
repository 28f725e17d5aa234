/** Returns a random ID. `crypto.randomUUID` is missing without https. */
export const randomId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
