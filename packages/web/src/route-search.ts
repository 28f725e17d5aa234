import { texts } from './api/search-params.ts'

// TypeScript infers the names of these parameters only outside of the routes that use them.
export const signInSearch = texts('next', 'link', 'error')
export const uploadSearch = texts('application')
export const newReleaseSearch = texts('builds')
/** The tab of a page, the charts in it that are shown as tables, and the values of its chart. */
export const tabSearch = texts('tab', 'tables', 'metric')
export const webhookSearch = texts('request', 'state', 'event')
