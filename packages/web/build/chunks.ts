import type { Rolldown } from 'vite'

/** Packages that few pages need at first, although many pages use them later. */
const isLoadedLater = /[\\/]node_modules[\\/](@mantine[\\/]form|react-number-format|uqr)[\\/]/

/** Modules without dependencies that a page might not need. The first page needs nothing about teams. */
const isLight =
  /[\\/]web[\\/]src[\\/](api[\\/]|text[\\/](?!members[\\/]teams)|ui[\\/][\w-]+\.ts$|features[\\/](?!members[\\/]teams).*\.(queries|search)\.ts$)/

/**
 * Groups the modules into few chunks. Left to itself, the bundler writes a file for each set of pages that share a module:
 * a page then loads about 90 files, most of them smaller than 1 KB.
 */
export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  { name: 'main', tags: ['$initial'] },
  { name: 'shared', minShareCount: 24, test: (id) => !isLoadedLater.test(id) },
  { name: 'light', minShareCount: 4, test: isLight, includeDependenciesRecursively: false },
  // Without this group, each page would load about ten more files, most of them hooks of a few lines.
  {
    name: 'parts',
    minShareCount: 3,
    maxModuleSize: 600,
    test: /[\\/](@mantine[\\/](core|hooks)|web[\\/]src[\\/](ui|frame))[\\/]/,
    includeDependenciesRecursively: false,
  },
]
