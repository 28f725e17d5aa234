// Runs before the first paint, so that a color scheme chosen in the console does not flash the other one first.
;(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  let stored = null
  try {
    stored = localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // Storage is disabled, so the color scheme of the system applies.
  }
  const scheme = stored === 'light' || stored === 'dark' ? stored : dark ? 'dark' : 'light'
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
})()
