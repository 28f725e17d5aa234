/** A reason for which no release is created. `npm run release` prints its message without a stack trace. */
export class ReleaseError extends Error {}
