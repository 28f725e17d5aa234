/** What the page shows if its scripts cannot be loaded. Apart from other texts, because it must not need another file. */
export const startText = {
  title: 'The console could not be loaded',
  detail: 'Check your connection and reload the page.',
} as const
