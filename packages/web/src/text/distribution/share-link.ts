/** The sentences of share links. */
export const shareLinkText = {
  emptyTitle: 'No share links',
  empty: {
    build:
      'A share link lets people without an account download this build. It can have a password, an expiry and a download limit.',
    release:
      'A share link lets people without an account download this release while it is published. It can have a password, an expiry and a download limit.',
  },
  created: 'The link is ready. Anyone who has it can download.',
  createdWithPassword: 'The link is ready. Send the password separately.',
  revoked: 'Share link revoked.',
  feedbackOn: 'Feedback turned on.',
  feedbackOff: 'Feedback turned off.',
  reactivated: 'Share link reactivated.',
  deleteTitle: 'Delete this share link?',
  deleteWarning:
    'The link stops working and cannot be restored. Its downloads stay listed. To stop it temporarily, revoke it instead.',
  locked: (time: string) => `Too many incorrect passwords were entered. The link accepts none until ${time}.`,
  passwordHelp: 'Visitors enter it before they can download.',
  limitHelp: 'The link stops working after this many downloads.',
  chooseDate: 'Choose a date.',
} as const
