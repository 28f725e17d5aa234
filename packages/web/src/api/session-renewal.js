import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { basePath } from './client.ts';
import { sessionQuery } from './session.ts';
import { callSignIn } from './sign-in.ts';
const renewalMs = 60 * 60 * 1000;
const storageKey = `quayside session renewed ${basePath}`;
/** Returns whether no tab of this browser has renewed the session within the last hour, and records the renewal. */
function takeRenewal(storage, nowMs) {
    const elapsedMs = nowMs - Number(storage.getItem(storageKey) ?? 0);
    if (elapsedMs >= 0 && elapsedMs < renewalMs)
        return false;
    storage.setItem(storageKey, String(nowMs));
    return true;
}
/** Renews the session while the console is in use, at most once an hour. Ends the use of a session that has ended. */
export function useSessionRenewal() {
    const queryClient = useQueryClient();
    useEffect(() => {
        async function renew() {
            if (!takeRenewal(localStorage, Date.now()))
                return;
            // The request fails while the server restarts or the browser is offline. The next hour renews the session.
            const session = await callSignIn('/get-session').catch(() => undefined);
            if (session === null)
                await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
        }
        const onUse = () => void renew();
        onUse();
        const use = ['pointerdown', 'keydown'];
        for (const type of use)
            window.addEventListener(type, onUse, { passive: true });
        return () => {
            for (const type of use)
                window.removeEventListener(type, onUse);
        };
    }, [queryClient]);
}
