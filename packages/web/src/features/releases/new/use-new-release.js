import { useState } from 'react';
import { suggestVersion } from '../version.ts';
/**
 * Keeps what was typed for a new release. The version and the title follow the builds until they are edited by hand.
 */
export function useNewRelease(applicationName, initialBuilds) {
    const [typed, setTyped] = useState({});
    const builds = typed.builds ?? initialBuilds;
    const version = typed.version ?? suggestVersion(builds) ?? '';
    const values = {
        builds,
        version,
        title: typed.title ?? (version === '' ? '' : `${applicationName} ${version}`),
        notes: typed.notes ?? '',
        labels: typed.labels ?? [],
        groups: typed.groups ?? new Map(),
        portals: typed.portals ?? [],
        publication: typed.publication ?? 'now',
        scheduledFor: typed.scheduledFor ?? '',
    };
    return {
        values,
        /** Whether something would be lost by leaving the page. */
        isDirty: Object.keys(typed).length > 0,
        set: (change) => setTyped((previous) => ({ ...previous, ...change })),
    };
}
