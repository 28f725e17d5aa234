/** Returns a search parameter as text; undefined if it is missing or empty. The router parses numbers and JSON. */
export function optionalText(value) {
    if (typeof value === 'number' || typeof value === 'boolean')
        return String(value);
    return typeof value === 'string' && value !== '' ? value : undefined;
}
/** Returns a validator of a route's search parameters, each of which is an optional text. */
export const texts = (...names) => (search) => Object.fromEntries(names.map((name) => [name, optionalText(search[name])]));
/** Returns a search parameter that is one of the allowed values. */
export function optionalOneOf(value, allowed) {
    return allowed.find((each) => each === value);
}
