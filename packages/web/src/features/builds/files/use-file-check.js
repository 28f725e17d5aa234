import { useCallback, useEffect, useRef, useState } from 'react';
import { setCheck } from './check-store.ts';
import { compareChecksum, counterpartOf, filesOf } from './files-of-build.ts';
import { hashFile } from './hash-file.ts';
/** Compares local files with a build, one at a time. */
export function useFileCheck(build) {
    const [state, setState] = useState();
    const controller = useRef(undefined);
    const clear = useCallback(() => {
        controller.current?.abort();
        setState(undefined);
    }, []);
    const start = useCallback((file) => {
        controller.current?.abort();
        const { signal } = (controller.current = new AbortController());
        // A file of another size cannot match, so it need not be read.
        if (filesOf(build).every(({ size_bytes: size }) => size !== file.size))
            return setState({
                file,
                hashedBytes: 0,
                result: { kind: 'differs', file: counterpartOf(file, build) },
            });
        setState({ file, hashedBytes: 0 });
        hashFile(file, (hashedBytes) => setState({ file, hashedBytes }), signal).then((sha256) => {
            const result = compareChecksum({ name: file.name, size: file.size, sha256 }, build);
            setState({ file, hashedBytes: file.size, sha256, result });
        }, (error) => {
            if (signal.aborted)
                return;
            setState({ file, hashedBytes: 0, error: error instanceof Error ? error.message : String(error) });
        });
    }, [build]);
    useEffect(() => {
        setCheck(start);
        return () => setCheck(undefined);
    }, [start]);
    useEffect(() => () => controller.current?.abort(), []);
    return { state, start, clear };
}
