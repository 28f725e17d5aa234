import type { VisitorText } from '../../http/pages/text/english.ts'

type Steps = Partial<Record<string, Partial<Record<string, string[]>>>>

/** Returns whether the file is an archive of several APKs, which Android cannot install without another app. */
export const isSplitPackage = (filename: string): boolean => /\.(apks|xapk|apkm)$/i.test(filename)

/** Returns how to install a file on a platform, step by step; empty if there is nothing to explain. */
export function installSteps(platform: string, filename: string, { install }: VisitorText): string[] {
  if (isSplitPackage(filename)) return install.splitPackage
  const ending = /\.(\w+)$/.exec(filename.toLowerCase())?.[1] ?? ''
  const steps: Steps = install.byPlatform
  return steps[platform]?.[ending] ?? steps['linux']?.[ending] ?? []
}
