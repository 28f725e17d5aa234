import { createElement, type ComponentType, type ReactNode } from 'react'
import { FailureBanner } from './failure-banner.tsx'
import { lazyWithFailure, useReloadIfNeeded, type LoadFailureProps } from './lazy.tsx'

/** Returns a part of a page that is loaded when it is first rendered. If that fails, it offers to try again in its place. */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ((props: Props) => ReactNode) => lazyWithFailure(load, PartFailure)

function PartFailure({ error, onRetry }: LoadFailureProps) {
  useReloadIfNeeded(error)
  return createElement(FailureBanner, { error, onRetry })
}
