import { Component, use, useEffect, useReducer, type ComponentType, type ReactNode } from 'react'
import { isServerAway, onConnectionChange } from '../../api/connection.ts'
import { LoadError, loadModule } from '../../api/load-module.ts'
import { reloadIfSafe } from '../../api/page-reload.ts'

type Loadable<Props extends object> = ((props: Props) => ReactNode) & { preload: () => Promise<void> }

/**
 * Returns a page that is loaded when it is opened. `preload` throws `LoadError`, and can be called again afterwards. The type of
 * the page is not inferred, because the types of the router would depend on themselves.
 */
export const lazyPage = <const Name extends string>(
  load: () => Promise<Record<Name, unknown>>,
  name: Name,
): Loadable<object> => loadable(async () => (await load())[name] as ComponentType)

/** Unlike a lazy component of React, this one can be loaded again after a failure. */
function loadable<Props extends object>(load: () => Promise<ComponentType<Props>>): Loadable<Props> {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  let hasFailed = false
  const preload = () => {
    if (loading !== undefined && !hasFailed) return loading
    const isRetry = hasFailed
    hasFailed = false
    loading = loadModule(load, isRetry).then(
      (component) => {
        Loaded = component
      },
      (error: unknown) => {
        hasFailed = true
        throw error
      },
    )
    return loading
  }
  const Page = (props: Props) => {
    if (Loaded === undefined) use(loading ?? preload())
    return Loaded === undefined ? null : <Loaded {...props} />
  }
  return Object.assign(Page, { preload })
}

export type LoadFailureProps = { error: LoadError; onRetry: () => void }

/** Returns a part of a page that is loaded when it is first rendered, and left out while it cannot be loaded. */
export const lazyOptional = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ((props: Props) => ReactNode) => lazyWithFailure(load, () => null)

/** Returns a dialog that the person opens. If only a reload of the page can load it, the page is reloaded unless text would be lost. */
export const lazyDialog = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ((props: Props) => ReactNode) =>
  lazyWithFailure(load, ({ error }) => {
    useReloadIfNeeded(error)
    return null
  })

/**
 * Returns a part of a page that is loaded when it is first rendered. If that fails, the rest of the page stays as it is, and
 * `Failure` takes the place of the part until it can be loaded.
 */
export function lazyWithFailure<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Failure: ComponentType<LoadFailureProps>,
): (props: Props) => ReactNode {
  const Part = loadable(load)
  return function LazyPart(props: Props) {
    const [attempt, retry] = useReducer((count: number) => count + 1, 0)
    const onRetry = () => void Part.preload().then(retry, retry)
    return (
      <LoadBoundary key={attempt} onRetry={onRetry} Failure={Failure}>
        <Part {...props} />
      </LoadBoundary>
    )
  }
}

type BoundaryProps = { onRetry: () => void; Failure: ComponentType<LoadFailureProps>; children: ReactNode }

class LoadBoundary extends Component<BoundaryProps, { error?: Error }> {
  override state: { error?: Error } = {}

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    const { children, Failure, onRetry } = this.props
    if (error === undefined) return children
    if (!(error instanceof LoadError)) throw error
    return (
      <RetriedOnReturn onRetry={onRetry}>
        <Failure error={error} onRetry={onRetry} />
      </RetriedOnReturn>
    )
  }
}

function RetriedOnReturn({ onRetry, children }: { onRetry: () => void; children: ReactNode }) {
  useRetryOnReturn(onRetry)
  return children
}

/** Reloads the page if this is the only way to load what the person has opened, and nothing would be lost. */
export function useReloadIfNeeded(error: unknown): void {
  const needsReload = error instanceof LoadError && error.needsReload
  useEffect(() => {
    if (needsReload) reloadIfSafe()
  }, [needsReload])
}

/** Calls the function when the server can be reached again. */
export function useRetryOnReturn(onReturn: () => void): void {
  useEffect(
    () =>
      onConnectionChange(() => {
        if (!isServerAway()) onReturn()
      }),
    [onReturn],
  )
}
