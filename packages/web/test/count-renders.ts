import type { Page } from 'playwright-core'

/**
 * Counts how often components with all of these props are rendered again, from the next page that is opened. React reports
 * each commit to its developer tools, also in the production build.
 */
export async function countRenders(page: Page, props: readonly string[]): Promise<() => Promise<number>> {
  await page.addInitScript((names) => {
    type Fiber = {
      flags: number
      alternate: Fiber | null
      child: Fiber | null
      sibling: Fiber | null
      memoizedProps: unknown
    }
    const didRender = 1
    let known = new WeakSet<Fiber>()
    const counted = Object.assign(globalThis, { renderedAgain: 0 })
    const visit = (root: Fiber, seen: WeakSet<Fiber>) => {
      for (const stack: (Fiber | null)[] = [root]; stack.length > 0;) {
        const fiber = stack.pop()
        if (fiber === null || fiber === undefined) continue
        seen.add(fiber)
        const given = fiber.memoizedProps
        const isMeant = typeof given === 'object' && given !== null && names.every((name) => name in given)
        // A component that was not rendered keeps the object of the previous commit.
        if (isMeant && !known.has(fiber) && fiber.alternate !== null && (fiber.flags & didRender) !== 0)
          counted.renderedAgain++
        stack.push(fiber.sibling, fiber.child)
      }
    }
    Object.assign(globalThis, {
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        renderers: new Map(),
        inject: () => 1,
        onCommitFiberUnmount: () => {},
        onPostCommitFiberRoot: () => {},
        onCommitFiberRoot(_id: number, root: { current: Fiber }) {
          const seen = new WeakSet<Fiber>()
          visit(root.current, seen)
          known = seen
        },
      },
    })
  }, props)
  return () => page.evaluate(() => (globalThis as unknown as { renderedAgain: number }).renderedAgain)
}
