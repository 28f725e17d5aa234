import { installTools } from './tools/tool-sets.ts'

// npm run install-tools      installs the packages that `npm run check` and some tests need, as they would themselves, and
//                            those that tests are skipped without
for (const set of ['check', 'samples', 'updaters'] as const) installTools(set)
