/** The sentences of the page of an invitation. */
export const invitationText = {
    gone: 'Ask the person who invited you for a new invitation, or sign in if you have already accepted it.',
    hasAccount: 'This address already has an account. Accept the invitation, then sign in.',
    accepted: 'You have accepted the invitation. Sign in to open the workspace.',
    signedInAsOther: (email) => `You are signed in as ${email}. This invitation is for another address.`,
};
const roleTexts = {
    owner: 'an owner, who can do everything and manage other owners',
    admin: 'an admin, who can do everything except manage owners',
    member: 'a member, who sees the applications to which they are added',
    developer: 'a developer, who uploads builds and publishes releases',
    qa: 'a tester, who uploads and installs builds, and shares them',
    readonly: 'a reader, who installs builds',
};
/** Returns who invites the person to what, and what they may do. */
export function invitationDescription(invitation) {
    const { inviter_name: inviter, application_name: application, workspace_name: workspace, role } = invitation;
    const place = application === null ? `the workspace ${workspace}` : `${application} in the workspace ${workspace}`;
    const as = role === 'admin' && application !== null
        ? 'an admin, who can do everything in the application'
        : roleTexts[role];
    return `${inviter === null ? 'You are invited' : `${inviter} invites you`} to ${place} as ${as}.`;
}
