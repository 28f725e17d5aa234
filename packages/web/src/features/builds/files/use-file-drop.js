import { useEffect, useState } from 'react';
/** Calls `onDrop` with a file that is dropped anywhere on the page. Returns whether one is being dragged over it. */
export function useFileDrop(onDrop) {
    const [isDragging, setIsDragging] = useState(false);
    useEffect(() => {
        const controller = new AbortController();
        const { signal } = controller;
        const over = (event) => {
            if (event.dataTransfer?.types.includes('Files') !== true)
                return;
            // Without this, the browser would open the file.
            event.preventDefault();
            setIsDragging(true);
        };
        const leave = (event) => {
            if (event.relatedTarget === null)
                setIsDragging(false);
        };
        const drop = (event) => {
            setIsDragging(false);
            const file = event.dataTransfer?.files[0];
            if (file === undefined || event.defaultPrevented)
                return;
            event.preventDefault();
            onDrop(file);
        };
        addEventListener('dragover', over, { signal });
        addEventListener('dragleave', leave, { signal });
        addEventListener('drop', drop, { signal });
        return () => controller.abort();
    }, [onDrop]);
    return isDragging;
}
