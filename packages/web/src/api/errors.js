import { QuaysideError, QuaysideUnreachableError } from '@quayside/sdk';
/** Returns what to show for an error that a request or a loader has thrown. */
export function failureOf(error) {
    if (error instanceof QuaysideError)
        return { message: error.message, requestId: error.requestId, isOffline: false, status: error.status };
    if (error instanceof QuaysideUnreachableError)
        return {
            message: 'The server cannot be reached. Your changes are still here; try again in a moment.',
            requestId: '',
            isOffline: true,
            status: 0,
        };
    return {
        message: error instanceof Error ? error.message : String(error),
        requestId: '',
        isOffline: false,
        status: 0,
    };
}
/**
 * Returns the messages of a validation error by field, for `form.setErrors`. A dotted path such as `labels.0` also sets
 * the message of its first part, because most inputs show a whole list.
 */
export function fieldErrorsOf(error) {
    if (!(error instanceof QuaysideError))
        return {};
    const fields = {};
    for (const [path, messages] of Object.entries(error.errors)) {
        const text = messages.map(capitalized).join(' ');
        fields[path] = text;
        fields[path.split('.', 1)[0] ?? path] ??= text;
    }
    return fields;
}
const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);
