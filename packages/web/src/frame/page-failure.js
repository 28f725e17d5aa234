import { jsx as _jsx } from "react/jsx-runtime";
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { failureOf } from '../api/errors.ts';
import { FailureBanner } from '../ui/failure-banner.tsx';
import { NotFoundPage } from './not-found-page.tsx';
/** Shows why a page could not be loaded. A resource that the server does not find is a missing page. */
export function PageFailure({ error, reset }) {
    const router = useRouter();
    const queries = useQueryErrorResetBoundary();
    if (failureOf(error).status === 404)
        return _jsx(NotFoundPage, {});
    return (_jsx(FailureBanner, { error: error, onRetry: () => {
            queries.reset();
            reset();
            void router.invalidate();
        } }));
}
