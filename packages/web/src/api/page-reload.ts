const reloadedKey = 'quayside.reloaded-at'
const minReloadMs = 10_000

const guards = new Set<() => boolean>()

/** Registers a function that returns whether a reload would lose something. Returns a function that removes it. */
export function guardReload(wouldLose: () => boolean): () => void {
  guards.add(wouldLose)
  return () => guards.delete(wouldLose)
}

/** Like `guardReload`, but the browser also asks before the tab is closed or reloaded. */
export function guardTab(wouldLose: () => boolean): () => void {
  const removeGuard = guardReload(wouldLose)
  const warn = (event: BeforeUnloadEvent) => {
    if (wouldLose()) event.preventDefault()
  }
  window.addEventListener('beforeunload', warn)
  return () => {
    window.removeEventListener('beforeunload', warn)
    removeGuard()
  }
}

const wouldLoseSomething = (): boolean => [...guards].some((wouldLose) => wouldLose())

/** Reloads the page unless something would be lost. A second failure soon after a reload has another cause. */
export function reloadIfSafe(): void {
  if (wouldLoseSomething()) return
  if (Date.now() - Number(sessionStorage.getItem(reloadedKey)) < minReloadMs) return
  sessionStorage.setItem(reloadedKey, String(Date.now()))
  window.location.reload()
}

/** Reloads the page. If something would be lost, the browser asks first. */
export function reloadPage(): void {
  if (wouldLoseSomething())
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { once: true })
  window.location.reload()
}
