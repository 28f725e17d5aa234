import { useEffect, useEffectEvent } from 'react';
import { cancelPasskeySuggestions, canSuggestPasskeys, isPasskeyCanceled, signInWithPasskey, } from '../../api/passkeys.ts';
import { showFailure } from '../../ui/toast.tsx';
// The challenge of the server expires after five minutes.
const renewalMs = 4 * 60 * 1000;
/** Lets the browser suggest passkeys in the field with `autocomplete="username webauthn"` while the component is shown. */
export function usePasskeySuggestions(onSignedIn) {
    const signedIn = useEffectEvent(onSignedIn);
    useEffect(() => {
        let isActive = true;
        async function suggest() {
            if (!(await canSuggestPasskeys()) || !isActive)
                return;
            try {
                await signInWithPasskey({ isSuggested: true });
                if (isActive)
                    signedIn();
            }
            catch (error) {
                if (isActive && !isPasskeyCanceled(error))
                    showFailure(error);
            }
        }
        void suggest();
        const timer = setInterval(() => void suggest(), renewalMs);
        return () => {
            isActive = false;
            clearInterval(timer);
            void cancelPasskeySuggestions();
        };
    }, []);
}
