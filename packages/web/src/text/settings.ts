export const settingsText = {
  workspaceName: 'Shown in the sidebar, in emails and on public pages.',
  subdomain: 'Identifies the workspace in the API. Lowercase letters, digits and hyphens.',
  readOnly: 'Only workspace owners and admins can change these settings.',
  defaultStreams:
    'Every new application starts with a copy of these streams. Changes do not affect existing applications.',
  noDefaultStreams: 'New applications start without streams. Add the streams that most of them need.',
  retention: 'Days until builds move to the trash. Leave empty to keep them.',
  iosInstallation:
    'iPhones and iPads install apps only over HTTPS, from a server whose certificate they trust.',
  emails:
    'Invitations and release notifications. Email text is deleted after sending. Without an SMTP server, emails wait here, and an owner can pass on their links.',
  noEmails: 'Invitations and release notifications appear here.',
  noEmailsInState: 'No emails in this state.',
  textDeleted: 'The text was deleted when the email was sent.',
  storage: 'Includes builds in the trash until they are purged.',
  noStorage: 'Nothing is stored yet. Upload the first build to see storage by application over time.',
  truncated: 'Only the first 50 applications by name are listed.',
  trash: 'Deleted applications keep their builds and links until they are permanently deleted.',
  emptyTrash: 'Deleted applications stay here for a few days and can be restored until then.',
  workspaceSaved: 'Workspace saved.',
}
