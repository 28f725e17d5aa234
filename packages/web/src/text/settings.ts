export const settingsText = {
  workspaceName: 'Shown in the sidebar, in emails and on public pages.',
  subdomain: 'Identifies the workspace in the API. Lowercase letters, digits and hyphens.',
  readOnly: 'Only owners and admins of the workspace can change these settings.',
  defaultStreams:
    'Every new application starts with a copy of these streams. A change does not affect applications that exist.',
  noDefaultStreams:
    'New applications start without streams of their own. Add the streams that most of them need.',
  deleteDefaultStream:
    'New applications no longer get this stream. Streams of applications are not affected.',
  retention: 'Days after which builds move to the trash. Empty: builds are kept.',
  emails:
    'Invitations and release notifications. The text of an email is deleted once it is sent. Without an SMTP server, emails wait here and an owner can pass their links on.',
  noEmails: 'Invitations and release notifications appear here with their state.',
  noEmailsInState: 'No email is in this state.',
  textDeleted: 'The text was deleted when the email was sent.',
  storage: 'Stored bytes include builds in the trash until they are purged.',
  noStorage: 'Nothing is stored yet. Upload the first build to see storage by application over time.',
  truncated: 'Only the first 50 applications by name are listed.',
  trash: 'Deleted applications keep their builds and links until they are permanently deleted.',
  emptyTrash: 'Deleted applications stay here for a few days and can be restored until then.',
}
