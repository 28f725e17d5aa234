export const workspaceRoles = [
    {
        value: 'owner',
        label: 'Owner',
        description: 'Can do everything, and can grant and remove the owner role.',
    },
    { value: 'admin', label: 'Admin', description: 'Can do everything except change or remove owners.' },
    {
        value: 'member',
        label: 'Member',
        description: 'Sees the workspace and works only in applications to which they were added.',
    },
];
export const applicationRoles = [
    { value: 'admin', label: 'Admin', description: 'Can change everything in the application.' },
    {
        value: 'developer',
        label: 'Developer',
        description: 'Manages builds, releases, share links and webhooks.',
    },
    { value: 'qa', label: 'QA', description: 'Manages builds, creates share links, and reads the rest.' },
    { value: 'readonly', label: 'Read only', description: 'Lists and downloads builds and releases.' },
];
const labels = new Map([...workspaceRoles, ...applicationRoles].map(({ value, label }) => [value, label]));
export const roleLabel = (role) => labels.get(role) ?? role;
export const memberText = {
    ofWorkspace: 'Owners and admins reach every application. Members reach only the applications to which they were added.',
    ofApplication: 'Owners and admins of the workspace are admins of every application.',
    inherited: 'From the workspace',
    sent: 'The invitation was sent by email. It expires in 7 days.',
    linkOnly: 'No SMTP server is configured, so no email was sent. Send this link yourself. It expires in 7 days.',
    queued: 'Without an SMTP server, the invitation stays in the outbox. An owner can read its link there.',
    noOneToAdd: 'Every member of the workspace is already in this application.',
    noMembersOfApplication: 'Only owners and admins of the workspace can open this application. Add members who should work in it.',
    remove: 'They lose access within a second, and are signed out of this workspace.',
    removePrivileged: 'The API keys, trusted publishers and open invitations that they created are revoked. Replace keys that pipelines use first.',
    removeFromApplication: 'They can no longer open this application. They remain a member of the workspace.',
    demote: 'The API keys, trusted publishers and open invitations that they created are revoked, and they keep only the applications to which they were added.',
    revokeInvitation: 'The link in the invitation stops working. You can invite the person again.',
};
