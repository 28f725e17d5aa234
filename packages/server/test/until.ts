// Acceptance tests import nothing from outside their folder.
export { until } from './acceptance/until.ts'
