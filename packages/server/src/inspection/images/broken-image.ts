/** Width and height in pixels. */
export type Size = { width: number; height: number }

/**
 * Thrown for data that has the signature of an image but is not a complete, valid image. The message is a predicate
 * such as "is truncated", to which the caller adds the subject.
 */
export class BrokenImage extends Error {}
