import { useEffect } from 'react';
/** Shows an image in the browser tab while the component is mounted; without one, the logo stays. */
export function useTabIcon(url) {
    useEffect(() => {
        const link = document.querySelector('link[rel="icon"]');
        if (url === null || link === null)
            return undefined;
        const { href, type } = link;
        link.removeAttribute('type');
        link.href = url;
        return () => {
            link.href = href;
            link.type = type;
        };
    }, [url]);
}
