import { Html } from '../../lib/html.ts'

// Drawn on a grid of 24 × 24 with a stroke of 1.75.
const shapes = {
  check: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  clock: '<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>',
  download: '<path d="M12 4v11m0 0 4.5-4.5M12 15l-4.5-4.5M5 19.5h14"/>',
  file: '<path d="M7 3.5h7l4 4v13H7zM14 3.5v4h4"/>',
  lock: '<rect x="5.5" y="10.5" width="13" height="9.5" rx="2"/><path d="M8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5"/>',
  mail: '<rect x="3.5" y="5.5" width="17" height="13" rx="2"/><path d="m4 7 8 6 8-6"/>',
  off: '<circle cx="12" cy="12" r="8.5"/><path d="m6 6 12 12"/>',
  search: '<circle cx="10.75" cy="10.75" r="6.25"/><path d="m15.5 15.5 4.5 4.5"/>',
  shield: '<path d="M12 3.5 5 6v5.5c0 4.2 2.9 7.4 7 9 4.1-1.6 7-4.8 7-9V6zM9 12l2.2 2.2L15 10.3"/>',
  warning: '<path d="M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.1"/>',
} as const

export type SymbolName = keyof typeof shapes

/** Returns a symbol that screen readers skip. It has the size and color of the text around it. */
export const symbol = (name: SymbolName): Html =>
  new Html(
    `<svg class="icon" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shapes[name]}</svg>`,
  )
