const maxPerCall = 1000

/** Returns the requests that add or remove these addresses, each with as many as the API takes. */
export const memberBatches = (groupId: string, emails: readonly string[]) =>
  Array.from({ length: Math.ceil(emails.length / maxPerCall) }, (_, index) => ({
    distribution_group_id: groupId,
    body: { emails: emails.slice(index * maxPerCall, (index + 1) * maxPerCall) },
  }))
