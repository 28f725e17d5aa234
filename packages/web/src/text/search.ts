export const searchText = {
  nothingFound: (application: string | undefined) =>
    `Nothing found${application === undefined ? '' : ` in ${application}`}. Search by version, title, build number, branch or commit.`,
  noApplication: 'No application found.',
} as const
