type Listed = { id: string }
type Pins = { applicationIds: readonly string[]; views: readonly { application_id: string }[] }

export type ShownOptions<Application> = {
  /** By name. */
  applications: readonly Application[]
  pins: Pins
  recentIds: readonly string[]
  openId: string | undefined
}

/** As many as fit in the sidebar together with what is below them. */
const maxListed = 12
const maxRecent = 5

/**
 * Returns the pinned applications in the person's order, and then the others by name. If there are too many, these are
 * only those that have pinned views, the recent ones and the open one.
 */
export function shownApplications<Application extends Listed>(
  options: ShownOptions<Application>,
): Application[] {
  const { applications, pins, recentIds, openId } = options
  const byId = new Map(applications.map((application) => [application.id, application]))
  const pinned = pins.applicationIds.flatMap((id) => byId.get(id) ?? [])
  const others = applications.filter(({ id }) => !pins.applicationIds.includes(id))
  if (applications.length <= maxListed) return [...pinned, ...others]
  const ids = new Set([
    ...pins.views.map((view) => view.application_id),
    ...recentIds.filter((id) => !pins.applicationIds.includes(id)).slice(0, maxRecent),
    openId,
  ])
  const shown = others.filter(({ id }) => ids.has(id))
  return [...pinned, ...(pinned.length + shown.length === 0 ? others.slice(0, maxRecent) : shown)]
}
