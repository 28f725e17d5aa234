/** What the result of a signature check means, and what to try next. */
export const verdictTexts = {
    valid: { title: 'The signature is valid.', detail: 'The body was signed with this secret.' },
    'valid-without-newline': {
        title: 'The signature is valid without the newline at the end.',
        detail: 'The pasted body ends with a newline that was not sent.',
    },
    wrong: {
        title: 'The signature does not match.',
        detail: 'The secret is another one, or the body was changed: for example, it was parsed and written again with other spaces.',
    },
    'no-signature': {
        title: 'The headers contain no signature.',
        detail: 'Add webhook-signature or x-webhook-signature. Requests of a webhook without a secret are not signed.',
    },
    'no-id': {
        title: 'The headers are incomplete.',
        detail: 'Add webhook-id and webhook-timestamp, which are part of what is signed.',
    },
    'bad-secret': {
        title: 'This is not a valid secret.',
        detail: 'After whsec_, a secret contains only Base64 characters.',
    },
};
