/** In pixels. */
export type Size = { width: number; height: number }

/** What is wrong with bytes that begin as an image does. */
export class BrokenImage extends Error {}
