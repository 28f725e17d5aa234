/** The cookie that contains a visitor's grant. Its path limits it to one form of one link. */
export const grantCookie = 'quayside_grant'

/** Returns the name of the cookie with which a visitor resumes the download of a build. */
export const resumeCookie = (buildId: string): string => `quayside_resume_${buildId}`
