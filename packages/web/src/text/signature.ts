import type { Verdict } from '../features/webhooks/signature.ts'

/** What the result of a signature check means, and what to try next. */
export const verdictTexts: Record<Verdict, { title: string; detail: string }> = {
  valid: { title: 'The signature is valid.', detail: 'The body was signed with this secret.' },
  'valid-without-newline': {
    title: 'The signature is valid without the newline at the end.',
    detail: 'The pasted body ends with a newline that was not sent.',
  },
  wrong: {
    title: 'The signature does not match.',
    detail:
      'The secret is wrong, or the body was changed, for example by parsing it and writing it with different whitespace.',
  },
  'no-signature': {
    title: 'The headers contain no signature.',
    detail: 'Add webhook-signature or x-webhook-signature. Webhooks without a secret send unsigned requests.',
  },
  'no-id': {
    title: 'The headers are incomplete.',
    detail: 'Add webhook-id and webhook-timestamp, which the signature covers.',
  },
  'bad-secret': {
    title: 'This is not a valid secret.',
    detail: 'After whsec_, a secret contains only Base64 characters.',
  },
}
