/** Returns the fields that differ between two states of the audit log. `before` is undefined if there was no state. */
export function changedFields(before, after) {
    const old = recordOf(before);
    return Object.entries(recordOf(after))
        .filter(([field, value]) => !isEqual(old[field], value) && (before !== null || !isEmpty(value)))
        .map(([field, value]) => ({
        field: field.replaceAll('_', ' '),
        before: before === null ? undefined : textOf(old[field]),
        after: textOf(value),
    }));
}
const recordOf = (value) => typeof value === 'object' && value !== null ? { ...value } : {};
const isEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const isEmpty = (value) => textOf(value) === 'none';
function textOf(value) {
    if (value === null || value === undefined || value === '')
        return 'none';
    if (Array.isArray(value))
        return value.length === 0 ? 'none' : value.map(textOf).join(', ');
    if (typeof value === 'boolean')
        return value ? 'yes' : 'no';
    return typeof value === 'string' ? value : JSON.stringify(value);
}
