import { useLocalStorage } from '@mantine/hooks';
/** The columns that can be hidden, in their order. `sortBy` is the key with which the API sorts by the column. */
export const allColumns = [
    { id: 'stream', label: 'Stream', width: 'minmax(5rem, 0.7fr)' },
    { id: 'labels', label: 'Labels', width: 'minmax(6rem, 1fr)' },
    { id: 'commit', label: 'Commit', width: 'minmax(9rem, 1.4fr)' },
    { id: 'source', label: 'Source', width: 'minmax(8rem, 1fr)' },
    { id: 'size', label: 'Size', width: '5rem', sortBy: 'size_total_bytes' },
    { id: 'age', label: 'Age', width: '4rem', sortBy: 'created_at' },
];
/** Returns the visible columns and a function that shows or hides one. The browser remembers the choice. */
export function useColumns() {
    const [hidden, setHidden] = useLocalStorage({
        key: 'quayside.builds.hidden-columns',
        defaultValue: [],
        getInitialValueInEffect: false,
    });
    const visible = allColumns.filter(({ id }) => !hidden.includes(id));
    return {
        columns: visible.map(({ id }) => id),
        template: `1.25rem 1.25rem minmax(14rem, 1.9fr) ${visible.map(({ width }) => width).join(' ')} 6rem`,
        toggle: (id) => setHidden(hidden.includes(id) ? hidden.filter((each) => each !== id) : [...hidden, id]),
    };
}
