/** The steps of a test in their order. A step is skipped if an earlier one that it needs has failed. */
export const storeStepNames = [
  'reach',
  'clock',
  'authenticate',
  'ownership',
  'write',
  'read',
  'multipart',
  'list',
  'delete',
  'cors',
] as const

export type StoreStepName = (typeof storeStepNames)[number]

export type StoreStep = {
  name: StoreStepName
  state: 'passed' | 'failed' | 'skipped'
  /** What happened. */
  detail: string
  /** What to do if the step failed. */
  advice: string | null
}

export type StoreReport = { passed: boolean; steps: StoreStep[] }

/** Thrown by a step that failed. */
export class StepFailure extends Error {
  readonly advice: string

  constructor(detail: string, advice: string) {
    super(detail)
    this.advice = advice
  }
}

export type Steps = Record<StoreStepName, () => Promise<string>>

/** Later steps run even if one of these has failed. */
const independent = new Set<StoreStepName>(['clock', 'read', 'multipart', 'list', 'delete', 'cors'])

/** Runs the steps one after another. `explain` converts an error to what happened and what to do. */
export async function runSteps(
  steps: Steps,
  explain: (error: unknown, name: StoreStepName) => StepFailure,
): Promise<StoreReport> {
  const report: StoreReport = { passed: true, steps: [] }
  let isBlocked = false
  for (const name of storeStepNames) {
    if (isBlocked) {
      const detail = 'Not tested, because an earlier step failed.'
      report.steps.push({ name, state: 'skipped', detail, advice: null })
      continue
    }
    try {
      report.steps.push({ name, state: 'passed', detail: await steps[name](), advice: null })
    } catch (error) {
      const { message: detail, advice } = error instanceof StepFailure ? error : explain(error, name)
      report.steps.push({ name, state: 'failed', detail, advice })
      report.passed = false
      isBlocked = !independent.has(name)
    }
  }
  return report
}
