import type { VisitorText } from '../../http/pages/text/english.ts'

type Steps = Partial<Record<string, Partial<Record<string, string[]>>>>

/** Returns how to install a file on a platform, step by step; empty if there is nothing to explain. */
export function installSteps(platform: string, filename: string, { install }: VisitorText): string[] {
  const ending = /\.(\w+)$/.exec(filename.toLowerCase())?.[1] ?? ''
  const steps: Steps = install
  return steps[platform]?.[ending] ?? steps['linux']?.[ending] ?? []
}
