/** Lets the options of a `Select` scroll themselves, because a scroll area around them cannot be focused. */
export const scrollingOptions = {
  withScrollArea: false,
  styles: { options: { maxHeight: 240, overflowY: 'auto' } },
} as const
