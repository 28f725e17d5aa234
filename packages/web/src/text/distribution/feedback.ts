/** The sentences of feedback. */
export const feedbackText = {
  emptyTitle: 'No feedback yet',
  empty:
    'Testers send feedback from install and release pages: a message, a rating and screenshots. Turn it on for a share link, a distribution group or a portal.',
  emptyBuild:
    'Testers send feedback about this build from its install pages: a message, a rating and screenshots. Turn it on when you create a share link, or in a distribution group.',
  noMatchTitle: 'No feedback matches',
  noMatch: 'Change or clear the filters to see more.',
  deleteTitle: 'Delete this feedback?',
  deleteWarning: 'The message and its screenshots are deleted. This cannot be undone.',
  closed: 'Feedback closed.',
  reopened: 'Feedback reopened.',
  subscribed: 'You get an email when feedback arrives, at most one every 15 minutes for each build.',
  unsubscribed: 'You no longer get emails about feedback.',
  emails: 'Email me',
  setting: 'Accept feedback',
  settingHelp: 'Visitors can send a message, a rating and screenshots.',
} as const
