/** Size in pixels. */
export type Size = { width: number; height: number }

/** Thrown for bytes that start like an image but are not a complete one; the message is a predicate, such as "is truncated". */
export class BrokenImage extends Error {}
