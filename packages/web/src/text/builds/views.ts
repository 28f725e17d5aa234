/** The sentences about saved views. */
export const viewText = {
  menu: 'Saved views',
  all: 'All builds',
  team: 'Team views',
  personal: 'Your views',
  none: 'Save the filters, order and columns of the list to open them again with one click.',
  visibility: {
    personal: 'Only you',
    team: 'Everyone in the application',
  },
  kind: { personal: 'Your view', team: 'Team view' },
  changed: 'Changed',
  save: 'Save',
  saveNew: 'Save as new view',
  saveFirst: 'Save view',
  discard: 'Discard changes',
  saved: 'View saved.',
  deleted: 'View deleted.',
  pin: 'Pin to sidebar',
  unpin: 'Unpin from sidebar',
}
