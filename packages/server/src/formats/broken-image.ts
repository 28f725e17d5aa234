/** Size in pixels. */
export type Size = { width: number; height: number }

/**
 * Thrown if bytes start like an image but are not a complete one. The message is a predicate, such as "is truncated".
 */
export class BrokenImage extends Error {}
