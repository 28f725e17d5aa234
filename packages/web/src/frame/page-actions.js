import { useEffect } from 'react';
let actions = [];
const listeners = new Set();
function setActions(next) {
    actions = next;
    for (const listener of listeners)
        listener();
}
export function subscribeToPageActions(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
}
export const listPageActions = () => actions;
/** Offers the actions of a page in the command palette while the page is open. Pass a memoized list. */
export function usePageActions(pageActions) {
    useEffect(() => {
        setActions(pageActions);
        return () => setActions([]);
    }, [pageActions]);
}
