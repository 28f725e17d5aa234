import { roleLabel } from './members.ts'

/** The sentences about requests for access to an application. */
export const accessRequestText = {
  hint: 'If the application exists, its admins see your name and message.',
  requested:
    'If the application exists, its admins can see your request. You will be notified when one of them approves it.',
  ofApplication: 'Workspace members who ask to open this application. Requests end after 30 days.',
  approved: (name: string, role: string) => `${name} now has the role ${roleLabel(role)}.`,
  declined: (name: string) => `Request from ${name} declined.`,
}
