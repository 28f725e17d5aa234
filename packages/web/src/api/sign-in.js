import { QuaysideError, QuaysideUnreachableError } from '@quayside/sdk';
import { serviceUrl } from './client.ts';
/** The fields to which an error belongs. A form shows it next to the one that it has. */
const fieldsOf = {
    'sign_in.incorrect_password': ['password'],
    'sign_in.password_not_confirmed': ['currentPassword', 'password'],
    'sign_in.invalid_password_length': ['newPassword'],
    'sign_in.incorrect_code': ['code'],
};
/**
 * Calls an endpoint of sign-in, which is not part of the API. Throws the same errors as the SDK, so that forms show both
 * alike.
 */
export async function callSignIn(path, body, method = body === undefined ? 'GET' : 'POST') {
    const response = await fetch(`${serviceUrl}/api/auth${path}`, {
        method,
        ...(body === undefined
            ? {}
            : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    }).catch((error) => {
        throw new QuaysideUnreachableError(serviceUrl, error);
    });
    const text = await response.text();
    const parsed = text === '' ? undefined : JSON.parse(text);
    if (response.ok)
        return parsed;
    const { message, code = '', request_id: requestId = '', ...rest } = (parsed ?? {});
    const errors = rest.errors ?? Object.fromEntries((fieldsOf[code] ?? []).map((field) => [field, [message ?? '']]));
    throw new QuaysideError(response.status, message ?? `The server responded with status ${response.status}.`, { code, errors, requestId });
}
/** Ends the session of this browser. */
export const signOut = () => callSignIn('/sign-out', {});
