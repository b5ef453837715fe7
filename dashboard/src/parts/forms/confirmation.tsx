// Asks for the password again when the sign-in is too old for what a form does.
import { PasswordInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { postAuth } from '../../client/auth.ts';
import { isProblem } from '../../client/problem.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { faultAt } from './field-faults.ts';

const POINTER = '/currentPassword';

/** The fields of a form, with the password if the form asked for it. */
export type Confirmed<Wanted> = Wanted & { currentPassword?: string };

/** Shows the password to the API if there is one, then sends the form without it. @throws Problem */
export const confirming =
  <Wanted extends object, Made>(deed: (wanted: Wanted) => Promise<Made>) =>
  async ({ currentPassword, ...wanted }: Confirmed<Wanted>): Promise<Made> => {
    if (currentPassword !== undefined) await postAuth('confirm', { currentPassword });
    // The fields of the form without the password.
    return deed(wanted as unknown as Wanted);
  };

interface Confirmation {
  /** What the form submits beside its own fields. */
  given: { currentPassword?: string };
  field: ReactNode;
  pointer: string;
  /** Nothing while the field says it all. */
  remainingError: unknown;
}

/** @param error of the form's last attempt */
export function useConfirmation(error: unknown): Confirmation {
  const [currentPassword, setCurrentPassword] = useState<string>();
  const { signedIn } = useSignedIn();
  const isTooOld = isProblem(error, 'recent_sign_in_required') && signedIn?.user.hasPassword === true;
  // Asked for from then on.
  if (isTooOld && currentPassword === undefined) setCurrentPassword('');
  return {
    given: currentPassword === undefined ? {} : { currentPassword },
    pointer: POINTER,
    remainingError: isTooOld ? null : error,
    field: currentPassword !== undefined && (
      <PasswordInput
        label="Your password"
        description="You signed in more than 15 minutes ago"
        autoComplete="current-password"
        required
        value={currentPassword}
        onChange={({ currentTarget }) => setCurrentPassword(currentTarget.value)}
        error={faultAt(error, POINTER)}
        visibilityToggleFocusable
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      />
    ),
  };
}
