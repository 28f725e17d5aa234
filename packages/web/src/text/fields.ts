/** The messages and hints of fields that several forms have. */
export const fieldText = {
  enterName: 'Enter a name.',
  chooseApplication: 'Choose an application.',
  selectScope: 'Select at least one scope.',
  capsLock: 'Caps Lock is on.',
  newer: {
    title: 'The stored version is newer',
    detail: 'Someone saved a change while you were typing. Saving replaces it.',
    load: 'Load it',
  },
} as const
