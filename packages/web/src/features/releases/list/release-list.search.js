import { optionalOneOf, texts } from '../../../api/search-params.ts';
const sortKeys = ['version', 'title', 'created_at'];
const filters = texts('search', 'status', 'label', 'platform');
/** Returns the state of the releases list. Several values of a filter are separated by commas. */
export const releaseListSearch = (search) => ({
    ...filters(search),
    sort_by: optionalOneOf(search['sort_by'], sortKeys),
    sort: optionalOneOf(search['sort'], ['asc', 'desc']),
});
/** The change that removes every filter. The order of the list stays. */
export const noReleaseFilters = {
    search: undefined,
    status: undefined,
    label: undefined,
    platform: undefined,
};
/** Returns whether the list shows only some of the releases. */
export const isFiltered = ({ search, status, label, platform }) => [search, status, label, platform].some((value) => value !== undefined);
