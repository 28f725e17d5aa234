import { optionalOneOf, texts } from '../../api/search-params.ts';
const sortKeys = ['version', 'version_short', 'size_total_bytes', 'built_at', 'created_at'];
const filterNames = [
    'search',
    'platforms',
    'streams',
    'labels',
    'sources',
    'branches',
    'custom_targets',
    'architectures',
    'created_after',
    'created_before',
];
const filters = texts(...filterNames);
/**
 * Returns the state of the builds list: the filters and the order as the API names them. Several values of a filter are
 * separated by commas, and a comma within a value is written as `\,`.
 */
export const buildListSearch = (search) => ({
    ...filters(search),
    trashed: search['trashed'] === true || search['trashed'] === 'true' ? true : undefined,
    kept: search['kept'] === true || search['kept'] === false ? search['kept'] : undefined,
    sort_by: optionalOneOf(search['sort_by'], sortKeys),
    sort: optionalOneOf(search['sort'], ['asc', 'desc']),
});
/** Returns whether the list shows only some of the builds. */
export const isFiltered = (search) => search.kept !== undefined || filterNames.some((name) => search[name] !== undefined);
/** Splits the values of a filter. */
export const valuesOf = (text) => text === undefined
    ? []
    : text
        .split(/(?<!\\),/)
        .map((value) => value.replaceAll(String.raw `\,`, ',').trim())
        .filter((value) => value !== '');
/** Joins the values of a filter; undefined without values, so that the filter leaves the URL. */
export const joinValues = (values) => values.length === 0 ? undefined : values.map((value) => value.replaceAll(',', String.raw `\,`)).join(',');
