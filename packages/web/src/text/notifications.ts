/** The sentences about the inbox, notification rules, and emails and chat messages about notifications. */
export const notificationText = {
  facts: 'What happened in your applications, by your rules',
  emptyTitle: 'No notifications yet',
  empty: 'Mentions, feedback on your builds and what your rules select will appear here.',
  readTitle: 'You have read everything',
  read: 'New notifications will appear here.',
  markedRead: 'Marked as read.',
  markedUnread: 'Marked as unread.',
  allRead: 'All notifications marked as read.',
  rules: 'A change that matches several rules causes one notification in your inbox.',
  noRules: 'You get no notifications. Add a rule to start.',
  ruleAdded: 'Rule added.',
  ruleDeleted: 'Rule deleted.',
  streamHint: 'Builds that are uploaded or moved to this stream.',
  labelHint: 'Builds that have or get this label.',
  ownHint: 'Uploaded in the console or with an API key that you created.',
  emails: 'Emails contain what you have not read by then.',
  quietHint: 'Leave both empty to get emails at any time.',
  quietMissing: 'Enter both times, or leave both empty.',
  quietSame: 'Enter two different times.',
  saved: 'Notification settings saved.',
  chat: 'Messages in Slack, Discord or Microsoft Teams contain what you have not read by then. They keep to your quiet hours.',
  chatUrl: 'Create an incoming webhook for a channel that only you read. Leave empty to get no messages.',
  chatTested: 'Test message sent.',
  chatFailed: 'The last message was not delivered.',
}

type Kind =
  | 'access_granted'
  | 'access_request'
  | 'build'
  | 'build_failed'
  | 'feedback'
  | 'mention'
  | 'release'
  | 'rollout_stopped'

export const kindNames: Record<Kind, string> = {
  build: 'New builds',
  build_failed: 'Builds that cannot be read',
  feedback: 'New feedback',
  mention: 'Mentions of you',
  release: 'Published releases',
  rollout_stopped: 'Stopped rollouts',
  access_request: 'Access requests to decide',
  access_granted: 'Your approved access requests',
}
