/** The sentences about pinned applications. */
export const pinText = {
  pin: 'Pin',
  unpin: 'Unpin',
  unpinned: 'Unpinned.',
  moveUp: 'Move up',
  moveDown: 'Move down',
  actions: (name: string) => `Actions for ${name}`,
  moved: (name: string, position: number, count: number) =>
    `${name} moved to position ${position} of ${count}.`,
  reorderHint: 'Alt+↑ and Alt+↓ move a pinned application.',
  findApplication: 'All applications',
  switchTo: 'Switch to an application',
}
